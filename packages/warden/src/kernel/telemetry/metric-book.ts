/**
 * Aggregates spans into histograms of durations and counters of tokens. Their labels are few and
 * from closed lists, so that the number of series is bounded.
 */
import type { Span, SpanKind } from "./observer.ts";

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
  readonly sum: number;
  /**
   * The counts per bound, and one more for values above the last bound. They are not cumulative.
   * Empty for a counter.
   */
  readonly buckets: readonly number[];
}

export interface Metric {
  /** The name in the text format of Prometheus, without a suffix such as `_bucket`. */
  readonly name: string;
  /** The name in OpenTelemetry. */
  readonly otel: string;
  readonly unit: "s" | "{token}";
  readonly help: string;
  readonly kind: "histogram" | "counter";
  readonly series: readonly Series[];
}

/** The bounds of the buckets, in seconds. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
/**
 * Maximum number of label sets. Further ones are counted together under the label value `other`.
 */
export const MAX_SERIES = 500;

const durationMetrics: Readonly<Record<SpanKind, { name: string; otel: string; help: string }>> = {
  turn: { name: "hearth_turn_duration_seconds", otel: "hearth.turn.duration", help: "Duration of runs of turns." },
  model: {
    name: "hearth_model_duration_seconds",
    otel: "gen_ai.client.operation.duration",
    help: "Duration of calls of models.",
  },
  tool: { name: "hearth_tool_duration_seconds", otel: "hearth.tool.duration", help: "Duration of tool calls." },
  cell: { name: "hearth_cell_wait_seconds", otel: "hearth.cell.wait", help: "Wait for a sandbox." },
};
const TOKEN_COUNTER = {
  name: "hearth_model_tokens_total",
  otel: "gen_ai.client.token.usage",
  help: "Tokens of calls of models.",
} as const;

interface Accumulator {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  sum: number;
  readonly buckets: number[];
}

const labelsOf = ({ kind, facts }: Span): Readonly<Record<string, string>> => {
  const error = facts.error ?? "";
  switch (kind) {
    case "turn":
      return { outcome: facts.outcome ?? "", trigger: facts.trigger ?? "", error };
    case "model":
      return { provider: facts.provider ?? "", model: facts.model ?? "", error };
    case "tool":
      return { tool: facts.tool ?? "", place: facts.place ?? "", error };
    case "cell":
      return { error };
  }
};

const toOther = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, "other"]));

export interface MetricBook {
  record(span: Span): void;
  metrics(): readonly Metric[];
}

export const createMetricBook = (): MetricBook => {
  const histograms = new Map<SpanKind, Map<string, Accumulator>>();
  const tokens = new Map<string, Accumulator>();

  const findAccumulator = (
    accumulators: Map<string, Accumulator>,
    labels: Readonly<Record<string, string>>,
    buckets: number,
  ): Accumulator => {
    const key = JSON.stringify(labels);
    const existing = accumulators.get(key);
    if (existing !== undefined) return existing;
    const isFull = accumulators.size >= MAX_SERIES;
    const effectiveLabels = isFull ? toOther(labels) : labels;
    const effectiveKey = isFull ? JSON.stringify(effectiveLabels) : key;
    const accumulator = accumulators.get(effectiveKey) ?? {
      labels: effectiveLabels,
      count: 0,
      sum: 0,
      buckets: Array<number>(buckets).fill(0),
    };
    accumulators.set(effectiveKey, accumulator);
    return accumulator;
  };

  return {
    record(span) {
      const { kind, facts, durationMs } = span;
      const labels = labelsOf(span);
      const accumulators = histograms.get(kind) ?? new Map<string, Accumulator>();
      histograms.set(kind, accumulators);
      const seconds = durationMs / 1000;
      const histogram = findAccumulator(accumulators, labels, BOUNDS.length + 1);
      const boundIndex = BOUNDS.findIndex((bound) => seconds <= bound);
      const bucket = boundIndex === -1 ? BOUNDS.length : boundIndex;
      histogram.count += 1;
      histogram.sum += seconds;
      histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
      if (kind !== "model") return;
      const { provider = "", model = "" } = labels;
      for (const [type, count] of [
        ["input", facts.inputTokens],
        ["output", facts.outputTokens],
        ["cached", facts.cachedTokens],
      ] as const) {
        if (count === undefined || count === 0) continue;
        const counter = findAccumulator(tokens, { provider, model, type }, 0);
        counter.count += 1;
        counter.sum += count;
      }
    },
    metrics: () => [
      ...[...histograms].map(([kind, accumulators]) => ({
        ...durationMetrics[kind],
        unit: "s" as const,
        kind: "histogram" as const,
        series: [...accumulators.values()],
      })),
      ...(tokens.size === 0
        ? []
        : [{ ...TOKEN_COUNTER, unit: "{token}" as const, kind: "counter" as const, series: [...tokens.values()] }]),
    ],
  };
};

/** Returns the names that Prometheus sees, for the check of the dashboard. */
export const exposedNames = (): readonly string[] => [
  ...Object.values(durationMetrics).flatMap(({ name }) => [`${name}_bucket`, `${name}_sum`, `${name}_count`]),
  TOKEN_COUNTER.name,
];
