/** Keeps the metrics in the text format of Prometheus (version 0.0.4), for `GET /metrics`. */
import { BOUNDS, createMetricBook, type Metric, type Series } from "./metric-book.ts";
import type { Observer } from "./observer.ts";

export const createPrometheusObserver = (): Observer => {
  const book = createMetricBook();
  let isClosed = false;
  return {
    record(span) {
      if (!isClosed) book.record(span);
    },
    expose: () => book.metrics().map(exposeMetric).join(""),
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
};

const exposeMetric = ({ name, help, kind, series }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...series.flatMap((metric) =>
      kind === "counter" ? [`${name}${labelsOf(metric.labels)} ${metric.sum}`] : exposeHistogram(name, metric),
    ),
    "",
  ].join("\n");

const exposeHistogram = (name: string, { labels, count, sum, buckets }: Series): readonly string[] => {
  let total = 0;
  const lines = BOUNDS.map((bound, index) => {
    total += buckets[index] ?? 0;
    return `${name}_bucket${labelsOf({ ...labels, le: String(bound) })} ${total}`;
  });
  return [
    ...lines,
    `${name}_bucket${labelsOf({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${labelsOf(labels)} ${sum}`,
    `${name}_count${labelsOf(labels)} ${count}`,
  ];
};

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",")}}`;

const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** Formats a gauge, for values that are read when a client asks for them. */
export const exposeGauge = (
  name: string,
  help: string,
  values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[],
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${Object.keys(labels).length === 0 ? "" : labelsOf(labels)} ${value}`),
    "",
  ].join("\n");
