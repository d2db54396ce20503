/** The contract of `Streams` as tests. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EventId, MessageEvent, type Stored, type StreamName } from "@hearth/protocol";
import fc from "fast-check";
import type { NewEvent, Streams } from "./streams.ts";

export interface StreamsHarness extends AsyncDisposable {
  readonly streams: Streams;
}

export const streamsConformance = (name: string, open: () => Promise<StreamsHarness>): void => {
  describe(`streams: ${name}`, () => {
    let harness: StreamsHarness;
    let streams: Streams;
    let stop: AbortController;
    beforeEach(async () => {
      harness = await open();
      streams = harness.streams;
      stop = new AbortController();
    });
    afterEach(async () => {
      stop.abort();
      await harness[Symbol.asyncDispose]();
    });

    test("offsets are dense, start at 1, and are independent per stream", async () => {
      for (let count = 1; count <= 3; count += 1) {
        expect(await streams.append(message(ROOM, count))).toEqual({ kind: "appended", offset: count });
        expect(await streams.append(message(OTHER, count))).toEqual({ kind: "appended", offset: count });
      }
      expect([await streams.head(ROOM), await streams.head(OTHER), await streams.head(EMPTY)]).toEqual([3, 3, 0]);
    });

    test("offsets are dense under concurrent appends", async () => {
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) => streams.append(message(ROOM, index))),
      );
      expect(results).toEqual(results.map((_, index) => ({ kind: "appended", offset: index + 1 })));
    });

    test("a read returns what was appended, with its id and offset", async () => {
      const { id, event } = message(ROOM, 1, "short");
      await streams.append({ stream: ROOM, id, event });
      expect(await streams.read(ROOM, 0, 10)).toEqual([{ ...event, id, offset: 1 } as Stored]);
    });

    const texts = {
      "of 100,000 characters": "水".repeat(100_000),
      "with U+0000 and emoji": "\u0000😀",
      "with a lone surrogate": "a\ud800b",
    };
    for (const [what, text] of Object.entries(texts)) {
      test(`a text ${what} is returned exactly`, async () => {
        await streams.append(message(ROOM, 1, text));
        expect((await streams.read(ROOM, 0, 1)).map(textOf)[0] === text).toBe(true);
      });
    }

    test("a known id is a duplicate with its first offset, in its own stream only", async () => {
      await streams.append(message(ROOM, 1, "first"));
      await streams.append(message(ROOM, 2));
      expect(await streams.append(message(ROOM, 1, "again"))).toEqual({ kind: "duplicate", offset: 1 });
      expect((await streams.read(ROOM, 0, 10)).map(textOf)).toEqual(["first", "2"]);
      expect(await streams.append(message(OTHER, 1))).toEqual({ kind: "appended", offset: 1 });
    });

    test("with expected, an append succeeds while the head is unchanged, and conflicts otherwise", async () => {
      expect(await streams.append(message(ROOM, 1), { expected: 0 })).toEqual({ kind: "appended", offset: 1 });
      expect(await streams.append(message(ROOM, 2), { expected: 0 })).toEqual({ kind: "conflict", head: 1 });
      expect(await streams.append(message(ROOM, 2), { expected: 5 })).toEqual({ kind: "conflict", head: 1 });
      expect(await streams.append(message(ROOM, 2), { expected: 1 })).toEqual({ kind: "appended", offset: 2 });
    });

    test("of several appends that expect the same head, one succeeds", async () => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => streams.append(message(ROOM, index), { expected: 0 })),
      );
      expect(results.map((result) => result.kind).toSorted()).toEqual([
        "appended",
        ...Array.from({ length: 9 }, () => "conflict" as const),
      ]);
    });

    test("a repeated append is a duplicate whatever it expects", async () => {
      await streams.append(message(ROOM, 1), { expected: 0 });
      expect(await streams.append(message(ROOM, 1), { expected: 0 })).toEqual({ kind: "duplicate", offset: 1 });
      expect(await streams.append(message(ROOM, 1), { expected: 1 })).toEqual({ kind: "duplicate", offset: 1 });
    });

    test("a read returns up to limit events after an offset, oldest first", async () => {
      await Promise.all(Array.from({ length: 7 }, (_, index) => streams.append(message(ROOM, index + 1))));
      const read = async (after: number, limit: number): Promise<readonly number[]> =>
        (await streams.read(ROOM, after, limit)).map((event) => event.offset);
      expect(await read(0, 3)).toEqual([1, 2, 3]);
      expect(await read(3, 3)).toEqual([4, 5, 6]);
      expect(await read(6, 3)).toEqual([7]);
      expect(await read(7, 3)).toEqual([]);
      expect(await read(99, 3)).toEqual([]);
      expect(await streams.read(EMPTY, 0, 3)).toEqual([]);
    });

    describe("following", () => {
      test("yields existing events, then new ones, each once", async () => {
        for (let count = 1; count <= 3; count += 1) await streams.append(message(ROOM, count));
        const seen = follow(streams, ROOM, 1, stop.signal);
        await seen.until(2);
        await streams.append(message(ROOM, 4));
        await seen.until(3);
        await streams.append(message(ROOM, 5));
        await seen.until(4);
        expect(seen.offsets).toEqual([2, 3, 4, 5]);
      });

      test("can start in an empty stream, and before the offset that it waits for", async () => {
        const fromStart = follow(streams, ROOM, 0, stop.signal);
        const later = follow(streams, ROOM, 2, stop.signal);
        for (let count = 1; count <= 4; count += 1) await streams.append(message(ROOM, count));
        await Promise.all([fromStart.until(4), later.until(2)]);
        expect([fromStart.offsets, later.offsets]).toEqual([
          [1, 2, 3, 4],
          [3, 4],
        ]);
      });

      test("yields several batches, none of them empty", async () => {
        await Promise.all(Array.from({ length: 350 }, (_, index) => streams.append(message(ROOM, index))));
        const seen = follow(streams, ROOM, 0, stop.signal);
        await seen.until(350);
        expect(seen.offsets).toEqual(Array.from({ length: 350 }, (_, index) => index + 1));
        expect(seen.sizes.every((size) => size > 0)).toBe(true);
      });

      test("sees only its own stream", async () => {
        const seen = follow(streams, ROOM, 0, stop.signal);
        await streams.append(message(OTHER, 1));
        await streams.append(message(ROOM, 1));
        await seen.until(1);
        expect(seen.ids).toEqual([message(ROOM, 1).id]);
      });

      test("ends when its signal aborts, while waiting and between batches, and at once on an aborted one", async () => {
        await streams.append(message(ROOM, 1));
        const waiting = follow(streams, ROOM, 1, stop.signal);
        const iterator = streams.follow(ROOM, 0, stop.signal)[Symbol.asyncIterator]();
        expect((await iterator.next()).done).toBe(false);
        await streams.append(message(ROOM, 2));
        await waiting.until(1);
        stop.abort();
        await waiting.over;
        expect((await iterator.next()).done).toBe(true);
        const never = follow(streams, ROOM, 0, stop.signal);
        await never.over;
        expect(never.offsets).toEqual([]);
      });

      test("leaves no listener on its signal, whether aborted, abandoned or never started", async () => {
        await streams.append(message(ROOM, 1));
        const { signal, listeners } = counted(stop.signal);
        streams.follow(ROOM, 0, signal);
        for await (const batch of streams.follow(ROOM, 0, signal)) if (batch.length > 0) break;
        expect(listeners()).toBe(0);
        const held = streams.follow(ROOM, 0, signal)[Symbol.asyncIterator]();
        await held.next();
        const waiting = follow(streams, ROOM, 1, signal);
        expect(listeners()).toBeGreaterThan(0);
        stop.abort();
        await waiting.over;
        expect(listeners()).toBe(0);
      });

      test("misses nothing and repeats nothing, however appends, followers and their ends interleave", async () => {
        const moment = fc.nat({ max: 12 });
        const writers = fc.array(
          fc.record({ start: moment, count: fc.integer({ min: 1, max: 8 }), pause: fc.nat({ max: 4 }) }),
          { minLength: 1, maxLength: 4 },
        );
        const readers = fc.array(fc.record({ start: moment, after: fc.nat({ max: 5 }), slow: fc.nat({ max: 6 }) }), {
          minLength: 1,
          maxLength: 4,
        });
        await fc.assert(
          fc.asyncProperty(writers, readers, async (writing, reading) => {
            await using freshHarness = await open();
            const end = new AbortController();
            const total = writing.reduce((sum, writer) => sum + writer.count, 0);
            const followed = reading.map(async ({ start, after, slow }) => {
              await ticks(start);
              const seen = follow(freshHarness.streams, ROOM, after, end.signal, slow);
              await seen.until(Math.max(0, total - after));
              return { after, offsets: seen.offsets, over: seen.over };
            });
            await Promise.all(
              writing.map(async ({ start, count, pause }, writer) => {
                await ticks(start);
                for (let index = 0; index < count; index += 1) {
                  await Promise.all([freshHarness.streams.append(message(ROOM, writer * 100 + index)), ticks(pause)]);
                }
              }),
            );
            for (const { after, offsets, over } of await Promise.all(followed)) {
              end.abort();
              await over;
              expect(offsets).toEqual(
                Array.from({ length: Math.max(0, total - after) }, (_, index) => after + index + 1),
              );
            }
          }),
          { numRuns: 60 },
        );
      });
    });
  });
};

export const ROOM: StreamName = "room:room_00000000000000000000000001" as StreamName;
export const OTHER: StreamName = "room:room_00000000000000000000000002" as StreamName;
const EMPTY: StreamName = "room:room_00000000000000000000000003" as StreamName;

/** Creates a message whose id depends on its number. */
export const message = (stream: StreamName, number: number, text = String(number)): NewEvent => ({
  stream,
  id: EventId.parse(`evt_${String(number).padStart(26, "0")}`),
  event: MessageEvent.parse({
    type: "message",
    room: `room_${"0".repeat(26)}`,
    author: `agent_${"0".repeat(26)}`,
    at: number,
    body: { format: "markdown", text },
    mentions: [],
    causes: [],
  }),
});

export const textOf = (event: Stored): string | undefined => (event.type === "message" ? event.body.text : undefined);

export interface Followed {
  readonly offsets: readonly number[];
  readonly ids: readonly string[];
  /** The sizes of the batches. */
  readonly sizes: readonly number[];
  /** Resolves once this many events were seen. */
  until(count: number): Promise<void>;
  readonly over: Promise<void>;
}

/** Follows in the background and records events. `ticksPerBatch`: pause after each batch. */
export const follow = (
  streams: Streams,
  stream: StreamName,
  after: number,
  signal: AbortSignal,
  ticksPerBatch = 0,
): Followed => {
  const seen: Stored[] = [];
  const sizes: number[] = [];
  let waiters: { readonly count: number; readonly resolve: () => void }[] = [];
  const wake = (): void => {
    for (const { resolve } of waiters.filter(({ count }) => seen.length >= count)) resolve();
    waiters = waiters.filter(({ count }) => seen.length < count);
  };
  const over = (async () => {
    for await (const batch of streams.follow(stream, after, signal)) {
      seen.push(...batch);
      sizes.push(batch.length);
      wake();
      await ticks(ticksPerBatch);
    }
  })();
  return {
    get offsets() {
      return seen.map((event) => event.offset);
    },
    get ids() {
      return seen.map((event) => event.id);
    },
    sizes,
    until: (count) =>
      new Promise((resolve) => {
        waiters.push({ count, resolve });
        wake();
      }),
    over,
  };
};

/** Returns the signal, and counts its listeners. */
export const counted = (signal: AbortSignal): { readonly signal: AbortSignal; listeners(): number } => {
  const listening = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...[type, listener, options]: Parameters<AbortSignal["addEventListener"]>) => {
    listening.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (...[type, listener, options]: Parameters<AbortSignal["removeEventListener"]>) => {
    listening.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  return { signal, listeners: () => listening.size };
};

const ticks = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await Promise.resolve();
};
