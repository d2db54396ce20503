/** OTLP in JSON, compared with the recorded output of `@opentelemetry/otlp-transformer` 0.301.1. */
import { expect, test } from "bun:test";
import { createFakeSpan } from "./observer.conformance.ts";
import { toMetrics, toTraces } from "./otlp-json.ts";
import metrics from "./fixtures/otlp-metrics.json" with { type: "json" };
import traces from "./fixtures/otlp-traces.json" with { type: "json" };

test("a span has the form of the official serializer", () => {
  const span = createFakeSpan("model", { model: "small", inputTokens: 7, error: "provider.auth" });
  const [given] = traces.resourceSpans;
  const ours = toTraces([span], "0.1.0") as typeof traces;
  const operation = { key: "gen_ai.operation.name", value: { stringValue: "chat" } };
  const [expected] = given?.scopeSpans[0]?.spans ?? [];
  const [made] = ours.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(made).toEqual({ ...expected, attributes: [operation, ...(expected?.attributes ?? [])] } as typeof made);
  expect(ours.resourceSpans[0]?.resource).toEqual(given?.resource);
  expect(ours.resourceSpans[0]?.scopeSpans[0]?.scope).toEqual(given?.scopeSpans[0]?.scope);
});

test("counters and histograms have the form of the official serializer", () => {
  const ours = toMetrics(
    [
      {
        name: "hearth_turns_total",
        otel: "hearth.turns",
        unit: "{token}",
        help: "Ended turns.",
        kind: "counter",
        series: [{ labels: { outcome: "reply" }, count: 1, sum: 3, buckets: [] }],
      },
      {
        name: "hearth_turn_duration_seconds",
        otel: "hearth.turn.duration",
        unit: "s",
        help: "Duration of turns.",
        kind: "histogram",
        series: [{ labels: { outcome: "reply", error: "" }, count: 3, sum: 2.5, buckets: [1, 1, 1] }],
      },
    ],
    { startMs: 1_700_000_000_000, nowMs: 1_700_000_060_000 },
    "0.1.0",
  );
  const text = JSON.stringify(ours)
    .replaceAll('"hearth.turn.outcome"', '"outcome"')
    .replace('"{token}"', '"{turn}"')
    .replace(/"explicitBounds":\[[^\]]*\]/, '"explicitBounds":[0.1,1]');
  expect(JSON.parse(text)).toEqual(metrics);
});
