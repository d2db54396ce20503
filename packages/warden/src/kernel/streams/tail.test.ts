import { describe, expect, test } from "bun:test";
import type { EventId, StreamName } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { message, OTHER, ROOM, textOf } from "./streams.conformance.ts";
import { createTail, KEEP_MS, type AppendedEvent, type Tail, type TailOptions } from "./tail.ts";

const setUp = (options: Partial<TailOptions> = {}) => {
  const world = createFakeWorld({ hash: () => "" });
  return { world, tail: createTail({ clock: world.clock, ...options }) };
};
const fresh = (stream: StreamName, offset: number, text?: string): AppendedEvent => {
  const { id, event } = message(stream, offset, text);
  return { stream, offset, id, text: JSON.stringify(event) };
};
const append = (tail: Tail, ...all: readonly AppendedEvent[]): void => {
  for (const append of all) tail.announceCommit(new Set([append.stream]))([append]);
};
const offsets = (tail: Tail, stream: StreamName, after: number, limit = 100): readonly number[] =>
  tail.readAfter(stream, after, limit).map(({ offset }) => offset);
const nothing = { streams: 0, events: 0, bytes: 0 };

describe("the tail of streams", () => {
  test("returns what follows an offset, up to a limit, like the store", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 7), fresh(ROOM, 8), fresh(OTHER, 1), fresh(ROOM, 9));
    expect([offsets(tail, ROOM, 6), offsets(tail, ROOM, 7, 1), offsets(tail, ROOM, 9)]).toEqual([[7, 8, 9], [8], []]);
    const { id, event } = message(ROOM, 8);
    expect(tail.readAfter(ROOM, 7, 1)).toEqual([{ ...event, id, offset: 8 } as never]);
    expect([tail.head(ROOM), tail.head(OTHER), tail.newest(ROOM)]).toEqual([9, 1, 9]);
  });

  test("returns nothing for earlier offsets and unknown streams", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 7));
    expect([offsets(tail, ROOM, 5), offsets(tail, ROOM, 99), offsets(tail, OTHER, 0)]).toEqual([[], [], []]);
    expect([tail.head(OTHER), tail.newest(OTHER), tail.find(OTHER, message(ROOM, 7).id)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("finds an event by its id, in its own stream", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 1), fresh(ROOM, 2));
    expect(tail.find(ROOM, message(ROOM, 2).id)).toMatchObject({ offset: 2 });
    expect(tail.find(ROOM, message(ROOM, 3).id)).toBeUndefined();
  });

  test("gives all readers the same frozen event", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 1));
    const [event] = tail.readAfter(ROOM, 0, 1);
    expect(tail.readAfter(ROOM, 0, 1)[0]).toBe(event as never);
    expect(tail.find(ROOM, message(ROOM, 1).id)).toBe(event as never);
    const writes = [
      () => Object.assign(event as object, { at: 0 }),
      () => event?.type === "message" && event.mentions.push("agent_x" as never),
      () => event?.type === "message" && Object.assign(event.body, { text: "other" }),
    ];
    for (const write of writes) expect(write).toThrow(TypeError);
  });

  test("returns few long events at a time, and at least one", () => {
    const { tail } = setUp({ maxBatchBytes: 4000 });
    append(
      tail,
      ...[1, 2, 3, 4].map((offset) => fresh(ROOM, offset, "x".repeat(700))),
      fresh(ROOM, 5, "x".repeat(9000)),
    );
    expect([offsets(tail, ROOM, 0), offsets(tail, ROOM, 2), offsets(tail, ROOM, 4)]).toEqual([
      [1, 2, 3],
      [3, 4, 5],
      [5],
    ]);
  });

  test("gives readers at the same place the same frozen array, until something changes", () => {
    const { tail } = setUp({ maxEvents: 3 });
    append(tail, fresh(ROOM, 1), fresh(ROOM, 2));
    const batch = tail.readAfter(ROOM, 0, 100);
    expect(tail.readAfter(ROOM, 0, 100)).toBe(batch);
    expect(() => (batch as unknown[]).push("more")).toThrow(TypeError);
    expect([offsets(tail, ROOM, 0, 1), offsets(tail, ROOM, 1), offsets(tail, ROOM, 0)]).toEqual([[1], [2], [1, 2]]);
    append(tail, fresh(ROOM, 3));
    expect(offsets(tail, ROOM, 0)).toEqual([1, 2, 3]);
    append(tail, fresh(ROOM, 4));
    expect([offsets(tail, ROOM, 0), offsets(tail, ROOM, 1)]).toEqual([[], [2, 3, 4]]);
  });

  test("gives the same array only as long as it holds the events", async () => {
    const { world, tail } = setUp();
    append(tail, fresh(ROOM, 1));
    expect(offsets(tail, ROOM, 0)).toEqual([1]);
    await world.advance(KEEP_MS / 2);
    append(tail, fresh(ROOM, 2));
    const both = tail.readAfter(ROOM, 0, 100);
    const last = tail.readAfter(ROOM, 1, 100);
    expect(both).toHaveLength(2);
    await world.advance(KEEP_MS / 2);
    expect([tail.size().events, offsets(tail, ROOM, 0), offsets(tail, ROOM, 1)]).toEqual([1, [], [2]]);
    // The cached array was dropped with the event; this one is new.
    expect(tail.readAfter(ROOM, 1, 100)).not.toBe(last);
  });

  test("drops everything at a gap, because another daemon wrote in between", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 1), fresh(ROOM, 3));
    expect([offsets(tail, ROOM, 0), offsets(tail, ROOM, 1), offsets(tail, ROOM, 2)]).toEqual([[], [], [3]]);
    expect(tail.size().events).toBe(1);
  });

  test("does not trust its head while a commit in flight may have moved it, and trusts it again afterwards", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 1));
    const settle = tail.announceCommit(new Set([ROOM]));
    expect([tail.head(ROOM), tail.newest(ROOM)]).toEqual([undefined, 1]);
    settle([]);
    expect(tail.head(ROOM)).toBe(1);
  });

  test("has the newest head when commits finish in another order than they were written", () => {
    const { tail } = setUp();
    const [first, second] = [tail.announceCommit(new Set([ROOM])), tail.announceCommit(new Set([ROOM]))];
    second([fresh(ROOM, 2)]);
    first([fresh(ROOM, 1)]);
    expect([offsets(tail, ROOM, 0), offsets(tail, ROOM, 1), tail.head(ROOM)]).toEqual([[], [2], 2]);
  });

  test("does not take an earlier event for the newest when the newest was dropped meanwhile", () => {
    const { tail } = setUp();
    const [first, second] = [tail.announceCommit(new Set([ROOM])), tail.announceCommit(new Set([ROOM]))];
    second([fresh(ROOM, 2)]);
    tail.forget(ROOM);
    first([fresh(ROOM, 1)]);
    expect([offsets(tail, ROOM, 0), tail.head(ROOM), tail.size()]).toEqual([[], undefined, nothing]);
  });

  test("trusts nothing of a stream after a commit with an unknown outcome, until all commits in flight have ended", () => {
    const { tail } = setUp();
    append(tail, fresh(ROOM, 1));
    const [lost, other] = [tail.announceCommit(new Set([ROOM])), tail.announceCommit(new Set([ROOM]))];
    lost("unknown");
    expect([offsets(tail, ROOM, 0), tail.newest(ROOM), tail.head(ROOM)]).toEqual([[], undefined, undefined]);
    other([fresh(ROOM, 2)]);
    expect([offsets(tail, ROOM, 1), tail.newest(ROOM), tail.size()]).toEqual([[], undefined, nothing]);
    append(tail, fresh(ROOM, 4));
    expect([offsets(tail, ROOM, 3), tail.head(ROOM)]).toEqual([[4], 4]);
  });

  test("has limits of events per stream and of bytes in total, and drops the oldest first", () => {
    const { tail } = setUp({ maxEvents: 3, maxBytes: 4000 });
    append(tail, ...[1, 2, 3, 4].map((offset) => fresh(ROOM, offset)));
    expect([offsets(tail, ROOM, 0), offsets(tail, ROOM, 1)]).toEqual([[], [2, 3, 4]]);
    append(tail, fresh(OTHER, 1, "x".repeat(1200)));
    const { bytes } = tail.size();
    expect(bytes).toBeLessThanOrEqual(4000);
    expect([offsets(tail, ROOM, 3), offsets(tail, OTHER, 0)]).toEqual([[4], [1]]);
    append(tail, fresh(OTHER, 2, "x".repeat(9000)));
    expect(tail.size()).toEqual(nothing);
  });

  test("holds events up to exactly its limits", () => {
    const sizeOf = (offset: number): number => 2 * fresh(ROOM, offset).text.length;
    const heldWith = (maxBytes: number): readonly number[] => {
      const { tail } = setUp({ maxEvents: 3, maxBytes });
      append(tail, fresh(ROOM, 1), fresh(ROOM, 2));
      return [tail.size().events, tail.size().bytes];
    };
    const both = sizeOf(1) + sizeOf(2);
    expect(heldWith(both)).toEqual([2, both]);
    expect(heldWith(both - 1)).toEqual([1, sizeOf(2)]);
  });

  test("drops old events, with one timer for all", async () => {
    const { world, tail } = setUp();
    append(tail, fresh(ROOM, 1));
    await world.advance(KEEP_MS / 2);
    append(tail, fresh(OTHER, 1));
    await world.advance(KEEP_MS / 2);
    expect([offsets(tail, ROOM, 0), offsets(tail, OTHER, 0)]).toEqual([[], [1]]);
    await world.advance(KEEP_MS);
    expect(tail.size()).toEqual(nothing);
    append(tail, fresh(ROOM, 2));
    await world.advance(KEEP_MS);
    expect(tail.size()).toEqual(nothing);
  });

  test("has at most one timer, and none while it is empty", async () => {
    const { world } = setUp();
    let asleep = 0;
    const sleep = async (ms: number): Promise<void> => {
      asleep += 1;
      await world.clock.sleep(ms);
      asleep -= 1;
    };
    const tail = createTail({ clock: { monotonic: world.clock.monotonic, sleep } });
    append(tail, fresh(ROOM, 1), fresh(ROOM, 2), fresh(OTHER, 1));
    expect(asleep).toBe(1);
    await world.advance(KEEP_MS);
    expect(asleep).toBe(0);
  });

  test("is empty once its house closes", async () => {
    const closing = new AbortController();
    const { world, tail } = setUp({ signal: closing.signal });
    append(tail, fresh(ROOM, 1));
    closing.abort();
    await world.clock.turn();
    expect(tail.size()).toEqual(nothing);
  });

  test("never contradicts the store, however commits, failures and other daemons' writes interleave", () => {
    const step = fc.record({
      kind: fc.constantFrom("begin", "write", "end", "lose", "foreign", "forget"),
      pick: fc.nat(),
      size: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, maxEvents) => {
        const clock = { monotonic: () => 0, sleep: () => new Promise<void>(() => {}) };
        const tail = createTail({ clock, maxEvents, maxBytes: 3000 });
        const streams = [ROOM, OTHER];
        /** The durable events, the reported ones, and whether another daemon has written. */
        const durable = new Map<StreamName, EventId[]>(streams.map((stream) => [stream, []]));
        const told = new Map<StreamName, number>();
        let alone = true;
        let count = 0;
        const commits: {
          readonly streams: readonly StreamName[];
          readonly settle: ReturnType<Tail["announceCommit"]>;
          written?: AppendedEvent[];
        }[] = [];
        const write = (stream: StreamName): AppendedEvent => {
          count += 1;
          const { id, event } = message(stream, count);
          const list = durable.get(stream) ?? [];
          return { stream, offset: list.push(id), id, text: JSON.stringify(event) };
        };
        for (const { kind, pick, size } of steps) {
          const commit = commits[pick % Math.max(1, commits.length)];
          const stream = streams[pick % 2] ?? ROOM;
          if (kind === "begin") {
            const named = streams.slice(pick % 2);
            commits.push({ streams: named, settle: tail.announceCommit(new Set(named)) });
          } else if (kind === "write" && commit !== undefined && commit.written === undefined) {
            commit.written = Array.from({ length: size }, (_, index) =>
              write(commit.streams[index % commit.streams.length] ?? ROOM),
            );
          } else if ((kind === "end" || kind === "lose") && commit !== undefined) {
            commits.splice(commits.indexOf(commit), 1);
            commit.settle(kind === "lose" ? "unknown" : (commit.written ?? []));
            if (kind === "end")
              for (const { stream, offset } of commit.written ?? [])
                told.set(stream, Math.max(offset, told.get(stream) ?? 0));
          } else if (kind === "foreign") {
            alone = false;
            write(stream);
          } else if (kind === "forget") tail.forget(stream);

          for (const [stream, ids] of durable) {
            for (let after = 0; after <= ids.length + 1; after += 1) {
              const events = tail.readAfter(stream, after, 3);
              expect(events.map(({ offset }) => offset)).toEqual(events.map((_, index) => after + index + 1));
              expect(events.map(({ id }) => id)).toEqual(ids.slice(after, after + events.length));
              for (const event of events) expect(textOf(event)).toBe(String(Number(event.id.slice(4))));
            }
            const newest = tail.newest(stream);
            if (newest !== undefined) expect(newest).toBe(told.get(stream) ?? -1);
            const head = tail.head(stream);
            if (head !== undefined && alone) expect(head).toBe(ids.length);
          }
          const { events, bytes } = tail.size();
          expect(events <= 2 * maxEvents && bytes <= 3000).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
