import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createFakeLog, type Log } from "../log/log.ts";
import { observers } from "./index.ts";
import { createMemoryObserver } from "./memory-observer.ts";
import { BOUNDS, createMetricBook, MAX_SERIES } from "./metric-book.ts";
import { createFakeSpan, observerConformance, type ObserverHarness } from "./observer.conformance.ts";
import type { Observer, ObserverOptions } from "./observer.ts";
import { BATCH_MS, REQUEST_TIMEOUT_MS, MAX_QUEUED_SPANS } from "./otlp.ts";

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Dependencies over a collector in memory. Time passes only when an observer is closed. */
const setUp = () => {
  const sent: Sent[] = [];
  const log = createFakeLog();
  let isBroken = false;
  const writes: Pick<Log, "write"> = {
    write(level, message, fields) {
      log.write(level, message, fields);
    },
  };
  const options: ObserverOptions = {
    log: writes,
    now: () => 1_700_000_060_000,
    version: "0.1.0",
    otlp: { endpoint: "http://collector.test/", headers: { "api-key": "k" } },
    sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
    async fetch(url, init) {
      if (isBroken) throw new Error("the collector is away");
      const request = new Request(url, init);
      sent.push({ url: request.url, headers: request.headers, body: await request.json() });
      return new Response("{}");
    },
  };
  const spansIn = ({ url, body }: Sent): number =>
    url.endsWith("/v1/traces") ? body.resourceSpans[0].scopeSpans[0].spans.length : 0;
  return {
    options,
    log,
    sent,
    breakDown: () => void (isBroken = true),
    spansSent: () => sent.reduce((sum, each) => sum + spansIn(each), 0),
  };
};

const exposed = (observer: Observer): number =>
  [...(observer.expose?.() ?? "").matchAll(/^\S+_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

observerConformance("memory", (): ObserverHarness => {
  const observer = createMemoryObserver();
  return { observer, handedOn: () => observer.spans.length, breakDown: () => {} };
});
observerConformance("log", () => {
  const { options, log, breakDown } = setUp();
  return { observer: observers.log(options), handedOn: () => log.lines.length, breakDown };
});
observerConformance("prometheus", () => {
  const { breakDown } = setUp();
  const observer = observers.prometheus();
  return { observer, handedOn: () => exposed(observer), breakDown };
});
observerConformance("otlp", () => {
  const { options, spansSent, breakDown } = setUp();
  return { observer: observers.otlp(options), handedOn: spansSent, breakDown };
});

test("the text for Prometheus has cumulative buckets, sums, counts and escaped labels", () => {
  const observer = observers.prometheus();
  observer.record(createFakeSpan("model", { model: 'a"b', provider: "openai", inputTokens: 3, outputTokens: 2 }));
  observer.record(createFakeSpan("model", { model: 'a"b', provider: "openai", inputTokens: 4 }));
  const lines = observer.expose?.().split("\n") ?? [];
  const labels = String.raw`provider="openai",model="a\"b"`;
  expect(lines).toContain("# TYPE hearth_model_duration_seconds histogram");
  expect(lines).toContain(`hearth_model_duration_seconds_bucket{${labels},error="",le="1"} 0`);
  expect(lines).toContain(`hearth_model_duration_seconds_bucket{${labels},error="",le="2.5"} 2`);
  expect(lines).toContain(`hearth_model_duration_seconds_bucket{${labels},error="",le="+Inf"} 2`);
  expect(lines).toContain(`hearth_model_duration_seconds_sum{${labels},error=""} 2.5`);
  expect(lines).toContain(`hearth_model_tokens_total{${labels},type="input"} 7`);
  expect(lines).toContain(`hearth_model_tokens_total{${labels},type="output"} 2`);
});

test("the number of series is bounded: further ones are counted together", () => {
  const book = createMetricBook();
  for (let index = 0; index < MAX_SERIES + 5; index += 1)
    book.record(createFakeSpan("model", { model: `m${index}`, provider: "openai" }));
  const [metric] = book.metrics();
  expect(metric?.series).toHaveLength(MAX_SERIES + 1);
  expect(metric?.series.at(-1)).toMatchObject({ labels: { model: "other" }, count: 5 });
  expect(metric?.series[0]?.buckets).toHaveLength(BOUNDS.length + 1);
});

test("spans and metrics go to the collector with its headers, and a failure is logged once", async () => {
  const works = setUp();
  const observer = observers.otlp(works.options);
  observer.record(createFakeSpan());
  await observer.close();
  expect(works.sent.map(({ url }) => url)).toEqual([
    "http://collector.test/v1/traces",
    "http://collector.test/v1/metrics",
  ]);
  expect(works.sent[0]?.headers.get("api-key")).toBe("k");

  const broken = setUp();
  broken.breakDown();
  const lost = observers.otlp(broken.options);
  lost.record(createFakeSpan());
  await lost.close();
  expect(broken.log.lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", message: "traces and metrics could not be sent" },
  ]);
});

test("a request that the collector never answers ends at its limit, and the spans that wait are bounded", async () => {
  const { options, log } = setUp();
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const endWait = async (ms: number): Promise<void> => {
    await until(() => waits.some((wait) => wait.ms === ms));
    const index = waits.findIndex((wait) => wait.ms === ms);
    for (const { end } of waits.splice(index, 1)) end();
  };
  let requests = 0;
  const sizes: number[] = [];
  const observer = observers.otlp({
    ...options,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        waits.push({ ms, end: resolve });
        signal?.addEventListener("abort", () => resolve());
      }),
    fetch: (_url, init) => {
      requests += 1;
      sizes.push(JSON.parse(init?.body as string).resourceSpans?.[0].scopeSpans[0].spans.length ?? 0);
      if (requests > 1) return Promise.resolve(new Response("{}"));
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("no answer"))),
      );
    },
  });
  observer.record(createFakeSpan());
  await endWait(BATCH_MS);
  await until(() => requests === 1);
  for (let index = 0; index < MAX_QUEUED_SPANS + 100; index += 1) observer.record(createFakeSpan());
  await endWait(REQUEST_TIMEOUT_MS);
  await endWait(BATCH_MS);
  await until(() => requests === 2);
  await observer.close();
  expect(sizes.slice(0, 2)).toEqual([1, MAX_QUEUED_SPANS]);
  expect(log.lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", message: "traces and metrics could not be sent" },
    { level: "info", dropped: 101 },
  ]);
});

test("a collector that redirects or answers without end gets no headers elsewhere and ends no batch", async () => {
  const asked: string[] = [];
  const collector = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/v1/traces") return Response.redirect("/elsewhere", 307);
      return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
    },
  });
  try {
    const { options, log } = setUp();
    const otlp = { ...options.otlp, endpoint: collector.url.origin };
    const redirected = observers.otlp({ ...options, fetch, otlp });
    redirected.record(createFakeSpan());
    await redirected.close();
    expect(asked).toEqual(["/v1/traces"]);
    expect(log.lines).toHaveLength(1);
    const endless = observers.otlp({ ...options, fetch, otlp: { ...otlp, endpoint: `${otlp.endpoint}/endless` } });
    endless.record(createFakeSpan());
    await endless.close();
    expect(asked).toEqual(["/v1/traces", "/endless/v1/traces", "/endless/v1/metrics"]);
    expect(log.lines).toHaveLength(1);
  } finally {
    await collector.stop(true);
  }
});

test("a collector that does not answer costs the oldest spans, not memory", async () => {
  const { options, spansSent } = setUp();
  const observer = observers.otlp(options);
  for (let index = 0; index < MAX_QUEUED_SPANS + 100; index += 1) observer.record(createFakeSpan());
  await observer.close();
  expect(spansSent()).toBe(MAX_QUEUED_SPANS);
});
