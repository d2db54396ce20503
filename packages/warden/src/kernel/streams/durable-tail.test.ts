/**
 * Durable streams with a tail in memory: reads give the same results as the store, without queries.
 */
import { describe, expect, test } from "bun:test";
import { type EventId, HearthError, type Stored } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { createDurableStreams } from "./durable.ts";
import { follow, message, OTHER, ROOM, textOf } from "./streams.conformance.ts";
import type { DurableStreams } from "./streams.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const blobs = createMemoryBlobs(hash);

/** Streams over a store that counts its queries. */
const setUp = (house: "alone" | "shared", inner: Store = createMemoryStore()) => {
  const world = createFakeWorld({ hash });
  let reads = 0;
  const store: Store = {
    ...inner,
    select(query) {
      reads += 1;
      return inner.select(query);
    },
  };
  return { world, store, streams: createDurableStreams({ world, store, blobs, house }), reads: () => reads };
};
const plain = (store: Store): DurableStreams =>
  createDurableStreams({ world: createFakeWorld({ hash }), store, blobs, house: "shared" });

describe("the tail of a stream in memory", () => {
  test("serves new events to a thousand followers without a query", async () => {
    const { world, streams, reads } = setUp("shared");
    const stop = new AbortController();
    const all = Array.from({ length: 1000 }, () => follow(streams, ROOM, 0, stop.signal));
    await world.clock.turn();
    const before = reads();
    for (let count = 1; count <= 20; count += 1) await streams.append(message(ROOM, count));
    await Promise.all(all.map((reader) => reader.until(20)));
    expect(reads() - before).toBe(0);
    expect(all.every(({ offsets }) => offsets.join() === Array.from({ length: 20 }, (_, i) => i + 1).join())).toBe(
      true,
    );
    stop.abort();
    await Promise.all(all.map((reader) => reader.over));
  });

  test("gives all followers at the head the same batch", async () => {
    const { world, streams } = setUp("shared");
    const stop = new AbortController();
    const all = [1, 2, 3].map(() => streams.follow(ROOM, 0, stop.signal)[Symbol.asyncIterator]());
    const coming = all.map((reader) => reader.next());
    await world.clock.turn();
    await streams.append(message(ROOM, 1));
    const [first, ...others] = await Promise.all(coming);
    expect(first?.value).toMatchObject([{ offset: 1 }]);
    for (const other of others) expect(other.value).toBe(first?.value);
    stop.abort();
    await Promise.all(all.map((reader) => reader.return?.()));
  });

  test("with an exclusive store, reports the end to a reader without a query", async () => {
    const { streams, reads } = setUp("alone");
    for (let count = 1; count <= 3; count += 1) await streams.append(message(ROOM, count));
    const before = reads();
    expect((await streams.read(ROOM, 1, 100)).map(({ offset }) => offset)).toEqual([2, 3]);
    expect([await streams.read(ROOM, 3, 100), await streams.head(ROOM)]).toEqual([[], 3]);
    expect(await streams.find(ROOM, message(ROOM, 2).id)).toMatchObject({ offset: 2 });
    expect(reads() - before).toBe(0);
  });

  test("leaves events that it does not hold to the store", async () => {
    const { world, streams } = setUp("alone");
    for (let count = 1; count <= 3; count += 1) await streams.append(message(ROOM, count));
    await world.advance(60_000);
    await streams.append(message(ROOM, 4));
    expect((await streams.read(ROOM, 0, 100)).map(({ offset }) => offset)).toEqual([1, 2, 3, 4]);
    expect(await streams.find(ROOM, message(ROOM, 1).id)).toMatchObject({ offset: 1 });
    await world.advance(60_000);
    expect([await streams.head(ROOM), await streams.head(OTHER)]).toEqual([4, 0]);
  });

  test("gives what the store gives, also where JSON keeps less than memory", async () => {
    const { store, streams } = setUp("alone");
    const { event, ...rest } = message(ROOM, 1, "a\ud800b\u2028\u0000");
    await streams.append({ ...rest, event: { ...event, replyTo: undefined } as never });
    const [held] = await streams.read(ROOM, 0, 1);
    expect(held).toStrictEqual((await plain(store).read(ROOM, 0, 1))[0] as never);
  });

  test("on a shared store, other daemons' events are read at once, and followed from the next own event", async () => {
    const { world, store, streams } = setUp("shared");
    const other = plain(store);
    const stop = new AbortController();
    await streams.append(message(ROOM, 1));
    const seen = follow(streams, ROOM, 0, stop.signal);
    await seen.until(1);
    await world.clock.turn();
    await other.append(message(ROOM, 2));
    expect((await streams.read(ROOM, 0, 100)).map(({ offset }) => offset)).toEqual([1, 2]);
    expect([await streams.head(ROOM), await streams.read(ROOM, 1, 5)]).toMatchObject([2, [{ offset: 2 }]]);
    await streams.append(message(ROOM, 3));
    await seen.until(3);
    expect(seen.offsets).toEqual([1, 2, 3]);
    await other.append(message(ROOM, 4));
    const late = follow(streams, ROOM, 3, stop.signal);
    await late.until(1);
    stop.abort();
    await Promise.all([seen.over, late.over]);
  });

  test("on a shared store, a page that memory can fill needs no query", async () => {
    const { streams, reads } = setUp("shared");
    for (let count = 1; count <= 3; count += 1) await streams.append(message(ROOM, count));
    const before = reads();
    expect((await streams.read(ROOM, 1, 2)).map(({ offset }) => offset)).toEqual([2, 3]);
    expect(reads() - before).toBe(0);
  });

  test("on a shared store, a follower rests only after the store has said that nothing follows", async () => {
    const { store, streams } = setUp("shared");
    const other = plain(store);
    await streams.append(message(ROOM, 1));
    await other.append(message(ROOM, 2));
    await streams.append(message(ROOM, 3));
    const stop = new AbortController();
    const batches = streams.follow(ROOM, 0, stop.signal)[Symbol.asyncIterator]();
    expect((await batches.next()).value).toHaveLength(3);
    await other.append(message(ROOM, 4));
    expect((await batches.next()).value).toMatchObject([{ offset: 4 }]);
    stop.abort();
  });

  test("gives a follower that is behind long events in batches that fit", async () => {
    const { streams, world } = setUp("alone");
    for (let count = 1; count <= 12; count += 1) await streams.append(message(ROOM, count, "x".repeat(100_000)));
    await world.advance(60_000);
    const stop = new AbortController();
    const seen = follow(streams, ROOM, 0, stop.signal);
    await seen.until(12);
    expect(seen.offsets).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(seen.sizes).toEqual([3, 3, 3, 3]);
    stop.abort();
    await seen.over;
  });

  test("drops events that were removed from the store", async () => {
    const { streams } = setUp("alone");
    await streams.append(message(ROOM, 1));
    await streams.commit({ writes: [{ kind: "delete", table: "events", where: { stream: ROOM } }] });
    expect([await streams.read(ROOM, 0, 10), await streams.find(ROOM, message(ROOM, 1).id)]).toEqual([[], undefined]);
  });

  test("treats a failed commit as one with an unknown outcome", async () => {
    const inner = createMemoryStore();
    const { streams } = setUp("alone", {
      ...inner,
      async commit(change) {
        const result = await inner.commit(change);
        if (change.writes.length === 2) throw new HearthError("store.unavailable", "the disk is gone");
        return result;
      },
    });
    await streams.append(message(ROOM, 1));
    const both = [message(ROOM, 2), message(ROOM, 3)];
    await expect(streams.commit({ writes: [], events: both })).rejects.toThrow("the disk is gone");
    expect([await streams.head(ROOM), (await streams.read(ROOM, 0, 10)).length]).toEqual([3, 3]);
  });
});

type Fate = "well" | "fails" | "fails after it was written";

/** A store whose results arrive in any order, some of them as failures. */
const troubled = (inner: Store, scheduler: fc.Scheduler, fate: () => Fate): Store => ({
  ...inner,
  async commit(change) {
    const end = fate();
    const fail = (): never => {
      throw new HearthError("store.unavailable", "the disk is gone");
    };
    if (end === "fails") return scheduler.schedule(Promise.resolve(), "no commit").then(fail);
    const result = await inner.commit(change);
    await scheduler.schedule(Promise.resolve(), "commit");
    return end === "well" ? result : fail();
  },
  async select(query) {
    const rows = await inner.select(query);
    return scheduler.schedule(Promise.resolve(rows), "read");
  },
});

const fates = fc.array(fc.constantFrom<Fate>("well", "well", "well", "fails", "fails after it was written"), {
  minLength: 1,
  maxLength: 16,
});

test.each(["alone", "shared"] as const)(
  "%s: with any failures and any order of results, reads match the store and followers miss nothing",
  async (house) => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fates,
        fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 }),
        async (scheduler, appends, ids, slowness) => {
          await using inner = createMemoryStore();
          let count = 0;
          const fate = (): Fate => appends[count++ % appends.length] ?? "well";
          const world = createFakeWorld({ hash });
          const store = troubled(inner, scheduler, fate);
          const streams = createDurableStreams({ world, store, blobs, house });
          const stop = new AbortController();
          const seen = slowness.map((slow) => follow(streams, ROOM, slow, stop.signal, slow));
          /** Ids that were reported as appended. */
          const told = new Set<EventId>();
          const writing = appends.map(async (_, index) => {
            // Some ids come twice; those are duplicates.
            const event = message(ROOM, ids[index % ids.length] ?? index);
            try {
              await streams.append(event);
              told.add(event.id);
            } catch {
              // The outcome is unknown.
            }
            if (house === "shared" && index % 3 === 0) await plain(inner).append(message(ROOM, 1000 + index));
          });
          const reading = ids.map(async (after) => {
            await scheduler.schedule(Promise.resolve(), "reader");
            const before = new Set(told);
            checkPage(await streams.read(ROOM, after, 100), after, before, await plain(inner).read(ROOM, 0, 1000));
          });
          await scheduler.waitFor(Promise.all([...writing, ...reading]));
          // Events with an unknown outcome are followed from the next event on.
          appends.fill("well");
          await scheduler.waitFor(streams.append(message(ROOM, 99)));
          const all = await plain(inner).read(ROOM, 0, 1000);
          await scheduler.waitFor(Promise.all(seen.map((reader, index) => reader.until(left(all, slowness[index])))));
          stop.abort();
          await scheduler.waitFor(Promise.all(seen.map((reader) => reader.over)));
          for (const [index, { ids: got }] of seen.entries())
            expect(got).toEqual(all.slice(slowness[index]).map(({ id }) => id));
        },
      ),
      { numRuns: 150 },
    );
  },
);

const left = (all: readonly Stored[], after = 0): number => Math.max(0, all.length - after);

/**
 * Checks that a page is a contiguous part of the stream from the requested offset, with everything
 * its reader could know of.
 */
const checkPage = (
  page: readonly Stored[],
  after: number,
  told: ReadonlySet<EventId>,
  all: readonly Stored[],
): void => {
  expect(page).toEqual(all.slice(after, after + page.length));
  const known = all.filter(({ id, offset }) => told.has(id) && offset > after);
  expect(page.length).toBeGreaterThanOrEqual((known.at(-1)?.offset ?? after) - after);
  expect(page.every((event) => textOf(event) !== undefined)).toBe(true);
};
