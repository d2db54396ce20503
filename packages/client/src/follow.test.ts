import { afterEach, describe, expect, test } from "bun:test";
import { StoredMessage } from "@hearth/protocol";
import { type StreamItem, follow, MAX_SILENCE_MS } from "./follow.ts";

const ID = "0".repeat(25);
const message = (offset: number): StoredMessage =>
  StoredMessage.parse({
    type: "message",
    room: `room_${ID}0`,
    author: `agent_${ID}0`,
    at: 1,
    mentions: [],
    causes: [],
    ...{
      body: { format: "markdown", text: `Grüße 🏡 ${offset}\n` },
      id: `evt_${String(offset).padStart(26, "0")}`,
      offset,
    },
  });
const frame = (offset: number): string => `id: ${offset}\ndata: ${JSON.stringify(message(offset))}\n\n`;
const named = (event: string): string => `event: ${event}\ndata: {}\n\n`;

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

type Answer = (after: number, count: number) => Response;

const serve = (answer: Answer, port = 0): string => {
  let count = 0;
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    fetch: (request) => answer(Number(new URL(request.url).searchParams.get("after")), count++),
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
};

const SSE = { headers: { "content-type": "text/event-stream" } };

/** Sends the pieces, then closes; or holds the connection open. */
const sse = (pieces: readonly Uint8Array[] | string, end: "close" | "hold" = "close"): Response => {
  const chunks = typeof pieces === "string" ? [new TextEncoder().encode(pieces)] : pieces;
  return new Response(
    new ReadableStream({
      async start(controller) {
        for (const chunk of chunks) {
          controller.enqueue(chunk);
          await Promise.resolve();
        }
        if (end === "close") controller.close();
      },
    }),
    SSE,
  );
};

/**
 * Pauses between attempts take no time; quiet connections are kept unless the test overrides this.
 */
const pauses: number[] = [];
const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
  if (ms < MAX_SILENCE_MS) {
    pauses.push(ms);
    return Promise.resolve();
  }
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
};

type Item = StreamItem<StoredMessage>;

/** Follows until `enough` says so; the last item is included. */
const collect = async (
  baseUrl: string,
  enough: (items: readonly Item[]) => boolean,
  options: { after?: number; sleep?: typeof sleep; isInMemory?: boolean } = {},
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  const stop = new AbortController();
  pauses.length = 0;
  const stream = follow(
    {
      connection: { baseUrl, token: "t0", fetch },
      sleep: options.sleep ?? sleep,
      isInMemory: options.isInMemory ?? false,
    },
    "/api/rooms/den/events",
    StoredMessage,
    { after: options.after ?? 0, signal: stop.signal },
  );
  for await (const item of stream) {
    items.push(item);
    if (enough(items)) stop.abort();
  }
  return items;
};

const offsets = (items: readonly Item[]): readonly number[] =>
  items.flatMap((item) => (item.kind === "event" ? [item.event.offset] : []));
const kinds = (items: readonly Item[]): readonly string[] => items.map((item) => item.kind);
const last = (items: readonly Item[]): Item | undefined => items.at(-1);

describe("following a stream", () => {
  test("a stream cut at random places, in random pieces, arrives complete and without duplicates", async () => {
    const COUNT = 60;
    for (let seed = 1; seed <= 15; seed += 1) {
      let state = seed;
      const random = (below: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
      const url = serve((after) => {
        const text = Array.from(
          { length: COUNT - after },
          (_, index) => frame(after + 1 + index) + (index % 7 === 3 ? ": still here\n\n" : ""),
        );
        const bytes = new TextEncoder().encode(text.join(""));
        const sent = bytes.subarray(0, 1 + random(4_000));
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < sent.length;) {
          const size = 1 + random(300);
          pieces.push(sent.subarray(at, at + size));
          at += size;
        }
        return sse(pieces, after === COUNT ? "hold" : "close");
      });
      const items = await collect(url, (all) => offsets(all).at(-1) === COUNT);
      expect(offsets(items)).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
      expect(
        items.find((item) => item.kind === "event" && item.event.body.text !== message(item.event.offset).body.text),
      ).toBeUndefined();
      expect(kinds(items)).toContain("lost");
    }
  });

  test("begins after the offset that the reader has", async () => {
    const url = serve((after) => sse(frame(after + 1), "hold"));
    expect(offsets(await collect(url, (items) => offsets(items).length === 1, { after: 41 }))).toEqual([42]);
  });

  test("skips events that the house repeats", async () => {
    const url = serve(() => sse(frame(1) + frame(2) + frame(1) + frame(2) + frame(3), "hold"));
    expect(offsets(await collect(url, (items) => offsets(items).includes(3)))).toEqual([1, 2, 3]);
  });

  test("skips an event of an unknown type and does not request it again", async () => {
    const url = serve((after) =>
      after === 0 ? sse(`id: 1\ndata: {"type":"from-tomorrow"}\n\n`) : sse(frame(2), "hold"),
    );
    const items = await collect(url, (all) => offsets(all).length > 0);
    expect(offsets(items)).toEqual([2]);
    expect(kinds(items).filter((kind) => kind === "failed")).toEqual([]);
  });

  test("reports one outage as one `lost` and one `open`, and resumes at the same offset", async () => {
    const first = serve(() => sse(frame(1), "hold"));
    const port = Number(new URL(first).port);
    const asked: number[] = [];
    const slept: number[] = [];
    const items: Item[] = [];
    const stop = new AbortController();
    const stream = follow(
      {
        connection: { baseUrl: first, fetch },
        async sleep(ms, signal) {
          if (ms === MAX_SILENCE_MS) return sleep(ms, signal);
          slept.push(ms);
          if (slept.length === 4) serve((after) => (asked.push(after), sse(frame(after + 1), "hold")), port);
        },
      },
      "/api/rooms/den/events",
      StoredMessage,
      { signal: stop.signal },
    );
    for await (const item of stream) {
      items.push(item);
      if (offsets(items).length === 1 && servers.length === 1 && item.kind === "event") await servers[0]?.stop(true);
      if (offsets(items).length === 2) stop.abort();
    }
    expect(kinds(items)).toEqual(["open", "event", "lost", "open", "event"]);
    expect(items[2]).toMatchObject({ error: { code: "house.unreachable" } });
    expect(asked).toEqual([1]);
    expect(slept).toEqual([100, 200, 400, 800]);
  });

  test("pauses grow to five seconds while a house answers without events, and are reset by an event", async () => {
    const url = serve((after, count) =>
      count === 8 ? sse(frame(after + 1)) : count === 10 ? sse(named("end")) : sse(""),
    );
    await collect(url, (items) => last(items)?.kind === "end");
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 100, 200]);
  });

  test("cuts and reopens a connection without a sign of life", async () => {
    const url = serve((after, count) => sse(count === 0 ? frame(1) : frame(after + 1), "hold"));
    let naps = 0;
    const items = await collect(url, (all) => offsets(all).length === 2, {
      sleep(ms, signal) {
        if (ms !== MAX_SILENCE_MS) return Promise.resolve();
        naps += 1;
        return naps === 2 ? Promise.resolve() : sleep(ms, signal);
      },
    });
    expect(kinds(items)).toEqual(["open", "event", "lost", "open", "event"]);
    expect(offsets(items)).toEqual([1, 2]);
  });

  test("an in-memory stream that restarted reports it and counts from 1 again", async () => {
    const url = serve((after) => sse(after === 7 ? named("restarted") + frame(1) + frame(2) + named("end") : ""));
    const items = await collect(url, () => false, { after: 7 });
    expect(kinds(items)).toEqual(["open", "restarted", "event", "event", "end"]);
    expect(offsets(items)).toEqual([1, 2]);
  });

  test("an in-memory stream is recognized by its last event, and no event is repeated", async () => {
    const asked: number[] = [];
    const url = serve((after) => {
      asked.push(after);
      return sse(after === 0 ? frame(1) + frame(2) : frame(2) + frame(3) + named("end"));
    });
    const items = await collect(url, () => false, { isInMemory: true });
    expect(kinds(items)).toEqual(["open", "event", "event", "lost", "open", "event", "end"]);
    expect(offsets(items)).toEqual([1, 2, 3]);
    expect(asked).toEqual([0, 1]);
  });

  test("a restarted in-memory stream that reached the same offset is not taken for the old one", async () => {
    const other = (offset: number): string => frame(offset).replace("Grüße", "Other");
    const url = serve((after, count) => {
      if (count === 0) return sse(frame(1) + frame(2));
      return sse(
        [1, 2, 3]
          .filter((offset) => offset > after)
          .map(other)
          .join("") + named("end"),
      );
    });
    const items = await collect(url, () => false, { isInMemory: true });
    expect(kinds(items)).toEqual([
      "open",
      "event",
      "event",
      "lost",
      "open",
      "restarted",
      "open",
      "event",
      "event",
      "event",
      "end",
    ]);
    expect(offsets(items)).toEqual([1, 2, 1, 2, 3]);
  });

  test("ends with the stream and does not reconnect", async () => {
    let asked = 0;
    const url = serve(() => ((asked += 1), sse(frame(1) + named("end") + frame(2))));
    expect(kinds(await collect(url, () => false))).toEqual(["open", "event", "end"]);
    expect(asked).toBe(1);
  });

  test("a refusal is the last item, with the house's error", async () => {
    const refusal = { error: { code: "auth.denied", message: "Not your room.", hint: "Ask its owner." } };
    const url = serve(() => Response.json(refusal, { status: 403 }));
    const items = await collect(url, () => false);
    expect(items).toMatchObject([{ kind: "failed", error: { code: "auth.denied", hint: "Ask its owner." } }]);
  });

  test("reconnects to a house that is shutting down", async () => {
    const closing = { error: { code: "house.closing", message: "Closing." } };
    const url = serve((_after, count) => (count === 0 ? Response.json(closing, { status: 503 }) : sse(named("end"))));
    expect(kinds(await collect(url, () => false))).toEqual(["lost", "open", "end"]);
  });

  test("refuses a response that is not a stream, and does not retry", async () => {
    const url = serve(() => Response.json([]));
    expect(await collect(url, () => false)).toMatchObject([{ kind: "failed", error: { code: "house.incompatible" } }]);
  });

  test("an aborted follower closes its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const url = serve(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(frame(1))),
            cancel: () => closed.resolve(),
          }),
          SSE,
        ),
    );
    await collect(url, (items) => offsets(items).length === 1);
    await closed.promise;
  });

  test("an aborted signal sends no request", async () => {
    const url = serve(() => sse(frame(1)));
    const items: Item[] = [];
    const following = { signal: AbortSignal.abort() };
    for await (const item of follow({ connection: { baseUrl: url, fetch }, sleep }, "/x", StoredMessage, following))
      items.push(item);
    expect(items).toEqual([]);
  });
});
