/**
 * Sends spans and metrics to a collector by OTLP over HTTP, in batches and in the background. If a
 * collector does not answer, the oldest spans are lost, but no turn waits.
 */
import { createMetricBook } from "./metric-book.ts";
import type { Observer, ObserverOptions, Span } from "./observer.ts";
import { toMetrics, toTraces } from "./otlp-json.ts";

/** Maximum number of spans that wait for the next batch. Older ones are dropped. */
export const MAX_QUEUED_SPANS = 2048;
export const BATCH_MS = 5000;
/** Number of batches per report of metrics. */
const BATCHES_PER_METRICS = 12;
/** Time limit of a request, and of the wait for a silent collector when the house stops. */
export const REQUEST_TIMEOUT_MS = 3000;

export const createOtlpObserver = ({ fetch, log, now, sleep, version, otlp }: ObserverOptions): Observer => {
  const book = createMetricBook();
  const startMs = now();
  const closeAbort = new AbortController();
  let queuedSpans: Span[] = [];
  let droppedCount = 0;
  let hasFailed = false;
  let batchCount = 0;

  const post = async (path: string, body: object): Promise<void> => {
    const timeout = new AbortController();
    const timerAbort = new AbortController();
    const expire = (): void => timeout.abort();
    sleep(REQUEST_TIMEOUT_MS, timerAbort.signal).then(expire, expire);
    try {
      const response = await fetch(`${otlp.endpoint.replace(/\/$/, "")}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...otlp.headers },
        body: JSON.stringify(body),
        redirect: "error",
        signal: timeout.signal,
      });
      // The answer is not read, because it can have any length.
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered with ${response.status}`);
    } finally {
      timerAbort.abort();
    }
  };

  const send = async (withMetrics: boolean): Promise<void> => {
    const spans = queuedSpans;
    queuedSpans = [];
    try {
      if (spans.length > 0) await post("/v1/traces", toTraces(spans, version));
      const metrics = withMetrics ? book.metrics() : [];
      if (metrics.length > 0) await post("/v1/metrics", toMetrics(metrics, { startMs, nowMs: now() }, version));
      if (hasFailed) log.write("info", "the collector of traces and metrics answers again", { dropped: droppedCount });
      hasFailed = false;
      droppedCount = 0;
    } catch (error) {
      // Only the first of several consecutive failures is logged. The spans of this batch are lost.
      droppedCount += spans.length;
      if (!hasFailed) log.write("warn", "traces and metrics could not be sent", { error });
      hasFailed = true;
    }
  };

  const run = async (): Promise<void> => {
    while (!closeAbort.signal.aborted) {
      await sleep(BATCH_MS, closeAbort.signal);
      batchCount += 1;
      await send(closeAbort.signal.aborted || batchCount % BATCHES_PER_METRICS === 0);
    }
  };
  const exporting = run();

  return {
    record(span) {
      if (closeAbort.signal.aborted) return;
      book.record(span);
      queuedSpans.push(span);
      if (queuedSpans.length <= MAX_QUEUED_SPANS) return;
      queuedSpans.shift();
      droppedCount += 1;
    },
    close() {
      closeAbort.abort();
      return exporting;
    },
  };
};
