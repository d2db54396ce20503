import { describe, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { HearthError, type StreamName } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { insert, record, recordIds } from "../store/conformance/rows.conformance.ts";
import { selectSql } from "../store/sql.ts";
import { createSqliteStore } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { createDurableStreams } from "./durable.ts";
import { follow, message, OTHER, ROOM, streamsConformance, textOf } from "./streams.conformance.ts";
import type { DurableStreams } from "./streams.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const world = createFakeWorld({ hash });
const over = (store: Store): DurableStreams => createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
const harness = (store: Store) => ({ streams: over(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() });
const inSqlite = (): Promise<Store> =>
  createSqliteStore({
    database: openSqlite(":memory:"),
    clock: createBunClock(),
  });

streamsConformance("durable, over the store in memory", () => Promise.resolve(harness(createMemoryStore())));
streamsConformance("durable, over SQLite", async () => harness(await inSqlite()));

describe("durable streams", () => {
  test.each([
    ["in memory", () => Promise.resolve(createMemoryStore())],
    ["in SQLite", inSqlite],
  ] as const)("return the heads of many streams at once, with their times: %s", async (_where, open) => {
    await using store = await open();
    const streams = over(store);
    const name = (index: number) => `room:room_${String(index).padStart(26, "0")}` as StreamName;
    const names = Array.from({ length: 1100 }, (_, index) => name(index));
    for (const [index, stream] of names.entries()) {
      if (index % 100 === 0) await streams.append(message(stream, 1));
      if (index % 200 === 0) {
        const later = message(stream, 2);
        await streams.append({ ...later, event: { ...later.event, at: 5000 + index } });
      }
    }
    const heads = await streams.heads(names);
    expect(heads.size).toBe(11);
    expect(heads.get(name(1000))).toEqual({ offset: 2, at: 6000 });
    expect(heads.get(name(100))).toEqual({ offset: 1, at: message(name(100), 1).event.at });
    expect((await streams.heads([name(1), name(2)])).size + (await streams.heads([])).size).toBe(0);
  });

  test("commit a change and its events together, all or nothing", async () => {
    await using store = createMemoryStore();
    const streams = over(store);
    const events = [message(ROOM, 1), message(OTHER, 1)];
    expect(await streams.commit({ writes: [insert(record("a"))], events })).toMatchObject({
      appended: [
        { kind: "appended", stream: ROOM, offset: 1 },
        { kind: "appended", stream: OTHER, offset: 1 },
      ],
    });
    const conflict = await streams.commit({ writes: [insert(record("a"))], events: [message(ROOM, 2)] });
    const refused = await streams.commit({
      guards: [{ kind: "head", stream: ROOM, offset: 0 }],
      writes: [],
      events: [message(ROOM, 2)],
    });
    expect([conflict.kind, refused.kind]).toEqual(["conflict", "refused"]);
    expect(await recordIds(store)).toEqual(["a"]);
    expect([await streams.head(ROOM), await streams.head(OTHER)]).toEqual([1, 1]);
  });

  test("a commit wakes the followers and watchers of the streams that grew, and no others", async () => {
    await using store = createMemoryStore();
    const counting = withReads(store);
    const streams = over(counting.store);
    const stop = new AbortController();
    const seen = [follow(streams, ROOM, 0, stop.signal), follow(streams, OTHER, 0, stop.signal)] as const;
    const watched = streams.watch(["room"], stop.signal)[Symbol.asyncIterator]();
    await world.clock.turn();
    const before = counting.reads();
    await streams.commit({ writes: [], events: [message(ROOM, 1)] });
    await seen[0].until(1);
    await world.clock.turn();
    expect(counting.reads() - before).toBe(0);
    expect((await watched.next()).value).toEqual(new Set([ROOM]));
    await streams.append(message(ROOM, 1));
    await world.clock.turn();
    expect([counting.reads() - before, seen[1].offsets]).toEqual([0, []]);
    stop.abort();
    await Promise.all([...seen.map((reader) => reader.over), watched.next()]);
  });

  test("a slow follower reads nothing ahead", async () => {
    await using store = createMemoryStore();
    const counting = withReads(store);
    const streams = over(counting.store);
    const stop = new AbortController();
    await streams.append(message(ROOM, 0));
    const iterator = streams.follow(ROOM, 0, stop.signal)[Symbol.asyncIterator]();
    await iterator.next();
    const before = counting.reads();
    await Promise.all(Array.from({ length: 300 }, (_, index) => streams.append(message(ROOM, index + 1))));
    await world.clock.turn();
    expect(counting.reads()).toBe(before);
    const { value } = await iterator.next();
    expect([value.length, value[0]?.offset, counting.reads() - before]).toEqual([100, 2, 1]);
    stop.abort();
  });

  test("find returns the event with an id, from its own stream", async () => {
    await using store = createMemoryStore();
    const streams = over(store);
    const { id } = message(ROOM, 7);
    await streams.append(message(ROOM, 1));
    await streams.append(message(ROOM, 7, "x".repeat(50_000)));
    expect(await streams.find(ROOM, id)).toMatchObject({ id, offset: 2, body: { text: "x".repeat(50_000) } });
    expect(await streams.find(OTHER, id)).toBeUndefined();
  });

  test("a long body is a blob, a short one is not", async () => {
    await using store = createMemoryStore();
    const streams = over(store);
    await streams.append(message(ROOM, 1));
    await streams.append(message(ROOM, 2, "x".repeat(20_000)));
    const rows = await store.select({ table: "events", order: [{ column: "offset" }] });
    expect(rows.map((row) => [row.type, row.at, row.body === null, row.blob === null])).toEqual([
      ["message", 1, false, true],
      ["message", 2, true, false],
    ]);
  });

  test("a follower survives a time when the store cannot be read", async () => {
    await using inner = createMemoryStore();
    let failing = true;
    const store: Store = {
      ...inner,
      select: (query) =>
        failing ? Promise.reject(new HearthError("store.unavailable", "the disk is gone")) : inner.select(query),
    };
    const stop = new AbortController();
    await over(inner).append(message(ROOM, 1));
    const streams = over(store);
    const seen = follow(streams, ROOM, 0, stop.signal);
    await world.advance(5000);
    expect(seen.offsets).toEqual([]);
    failing = false;
    await world.advance(1000);
    expect(seen.offsets).toEqual([1]);
    failing = true;
    const late = follow(streams, OTHER, 0, stop.signal);
    await world.clock.turn();
    stop.abort();
    await Promise.all([seen.over, late.over]);
  });

  test("a follower ends when the store is closed", async () => {
    const store = createMemoryStore();
    await store[Symbol.asyncDispose]();
    await follow(over(store), ROOM, 0, new AbortController().signal).over;
  });

  test("a room of 10,000 events is read in pages from an index", async () => {
    const database = openSqlite(":memory:");
    await using store = await createSqliteStore({ database, clock: createBunClock() });
    const streams = over(store);
    await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => streams.append(message(index % 100 === 0 ? OTHER : ROOM, index))),
    );
    let after = 0;
    let count = 0;
    for (;;) {
      const page = await streams.read(ROOM, after, 500);
      if (page.length === 0) break;
      expect(page.map((event) => event.offset)).toEqual(page.map((_, index) => after + index + 1));
      after += page.length;
      count += page.filter((event) => textOf(event) !== undefined).length;
    }
    expect(count).toBe(9900);
    const { text, parameters } = selectSql({
      table: "events",
      where: { stream: ROOM },
      and: [{ column: "offset", is: ">", value: 0 }],
      order: [{ column: "offset" }],
      limit: 1,
    });
    const plan = database.all(`explain query plan ${text}`, parameters);
    expect(plan.map((row) => row["detail"])).toEqual([
      "SEARCH events USING INDEX sqlite_autoindex_events_1 (stream=? AND offset>?)",
    ]);
  });

  test("a follower sees every event once, in whatever order reads and commits finish", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 12 }),
        fc.nat({ max: 4 }),
        async (scheduler, total, after) => {
          await using inner = createMemoryStore();
          const streams = over({
            ...inner,
            commit: async (change) => {
              const result = await inner.commit(change);
              return scheduler.schedule(Promise.resolve(result), "commit");
            },
            select: async (query) => {
              const rows = await inner.select(query);
              return scheduler.schedule(Promise.resolve(rows), "read");
            },
          });
          const stop = new AbortController();
          const seen = follow(streams, ROOM, after, stop.signal);
          const appends = Promise.all(
            Array.from({ length: total }, (_, index) => streams.append(message(ROOM, index))),
          );
          await scheduler.waitFor(appends);
          await scheduler.waitFor(seen.until(Math.max(0, total - after)));
          stop.abort();
          await scheduler.waitFor(seen.over);
          expect(seen.offsets).toEqual(
            Array.from({ length: Math.max(0, total - after) }, (_, index) => after + index + 1),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** The same store, counting its reads. */
const withReads = (store: Store): { readonly store: Store; reads(): number } => {
  let reads = 0;
  return {
    store: {
      ...store,
      select(query) {
        reads += 1;
        return store.select(query);
      },
    },
    reads: () => reads,
  };
};
