/**
 * Formats spans and metrics as OTLP 1.x in JSON, with the attribute names of OpenTelemetry's
 * semantic conventions for generative AI. Pure.
 */
import { BOUNDS, type Metric } from "./metric-book.ts";
import type { Span, SpanFacts } from "./observer.ts";

type Value = string | number;

const attributesOf = (values: Readonly<Record<string, Value | undefined>>): readonly object[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === "number" ? { intValue: value } : { stringValue: value } }],
  );

const resourceOf = (version: string): object => ({
  attributes: attributesOf({ "service.name": "hearth", "service.version": version }),
  droppedAttributesCount: 0,
});
const scopeOf = (version: string): object => ({ name: "hearth", version });

/** Returns nanoseconds as text, because they exceed the exact integers of JSON. */
const toNanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

/** The kind of an internal span. */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR_STATUS = 2;
/** The flags: sampled, and the parent is known to be local. */
const FLAGS = 0x101;

const nameOf = ({ kind, facts }: Span): string => {
  switch (kind) {
    case "turn":
      return "invoke_agent";
    case "model":
      return `chat ${facts.model ?? ""}`.trim();
    case "tool":
      return `execute_tool ${facts.tool ?? ""}`.trim();
    case "cell":
      return "hearth.cell.wait";
  }
};

const operations = { turn: "invoke_agent", model: "chat", tool: "execute_tool", cell: undefined } as const;

const toSpanAttributes = ({ kind, facts }: Span): readonly object[] =>
  attributesOf({
    "gen_ai.operation.name": operations[kind],
    "gen_ai.agent.id": facts.agent,
    "gen_ai.conversation.id": facts.room,
    ...toModelAttributes(facts),
    "gen_ai.usage.input_tokens": facts.inputTokens,
    "gen_ai.usage.output_tokens": facts.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": facts.cachedTokens,
    "gen_ai.tool.name": facts.tool,
    "hearth.model.caller": facts.caller,
    "hearth.tool.place": facts.place,
    "hearth.turn.trigger": facts.trigger,
    "hearth.turn.outcome": facts.outcome,
    "error.type": facts.error,
  });

const toModelAttributes = ({ provider, model }: SpanFacts): Readonly<Record<string, string | undefined>> => ({
  "gen_ai.provider.name": provider,
  "gen_ai.request.model": model,
});

/** Returns the body of `POST /v1/traces`. */
export const toTraces = (spans: readonly Span[], version: string): object => ({
  resourceSpans: [
    {
      resource: resourceOf(version),
      scopeSpans: [{ scope: scopeOf(version), spans: spans.map(toSpan) }],
    },
  ],
});

const toSpan = (span: Span): object => ({
  traceId: span.trace,
  spanId: span.id,
  ...(span.parent === undefined ? {} : { parentSpanId: span.parent }),
  name: nameOf(span),
  kind: span.kind === "model" ? CLIENT : INTERNAL,
  startTimeUnixNano: toNanoseconds(span.startMs),
  endTimeUnixNano: toNanoseconds(span.startMs + span.durationMs),
  attributes: toSpanAttributes(span),
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  status: span.facts.error === undefined ? { code: 0 } : { code: ERROR_STATUS },
  links: [],
  droppedLinksCount: 0,
  flags: FLAGS,
});

const labelNames: Readonly<Record<string, string>> = {
  outcome: "hearth.turn.outcome",
  trigger: "hearth.turn.trigger",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  type: "gen_ai.token.type",
  tool: "gen_ai.tool.name",
  place: "hearth.tool.place",
  error: "error.type",
};

const CUMULATIVE = 2;

/** Returns the body of `POST /v1/metrics`. The values count from `startMs`. */
export const toMetrics = (
  metrics: readonly Metric[],
  times: { readonly startMs: number; readonly nowMs: number },
  version: string,
): object => ({
  resourceMetrics: [
    {
      resource: resourceOf(version),
      scopeMetrics: [{ scope: scopeOf(version), metrics: metrics.map((metric) => toMetric(metric, times)) }],
    },
  ],
});

const toMetric = (
  { otel, help, unit, kind, series }: Metric,
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
): object => {
  const points = series.map(({ labels, count, sum, buckets }) => {
    const nonEmpty = Object.entries(labels).filter(([, value]) => value !== "");
    const attributes = attributesOf(
      Object.fromEntries(nonEmpty.map(([name, value]) => [labelNames[name] ?? name, value])),
    );
    const times = { startTimeUnixNano: toNanoseconds(startMs), timeUnixNano: toNanoseconds(nowMs) };
    return kind === "counter"
      ? { attributes, ...times, asInt: sum }
      : { attributes, bucketCounts: buckets, explicitBounds: BOUNDS, count, sum, ...times };
  });
  const data =
    kind === "counter"
      ? { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints: points } }
      : { histogram: { aggregationTemporality: CUMULATIVE, dataPoints: points } };
  return { name: otel, description: help, unit, ...data };
};
