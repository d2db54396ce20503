import { describe, expect, test } from "bun:test";
import { type AnyEvent, isHearthError, type StreamName } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryStreams, GRACE_MS, MAX_CLOSED_STREAMS, MAX_STREAM_BYTES } from "./memory.ts";
import { follow, message, streamsConformance } from "./streams.conformance.ts";

const newWorld = () => createFakeWorld({ hash: (data) => new Bun.CryptoHasher("sha256").update(data).digest("hex") });

streamsConformance("memory", () =>
  Promise.resolve({
    streams: createMemoryStreams({ world: newWorld() }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
);

const DELTAS = "deltas:act_00000000000000000000000001" as StreamName;
const delta = (text: string): AnyEvent => ({ type: "text-delta", at: 0, text });
const offsets = (events: readonly { readonly offset: number }[]): readonly number[] =>
  events.map((event) => event.offset);

describe("a stream in memory", () => {
  test("gives pushed events ids", async () => {
    const streams = createMemoryStreams({ world: newWorld() });
    streams.push(DELTAS, delta("a"));
    streams.push(DELTAS, delta("a"));
    const [one, two] = await streams.read(DELTAS, 0, 10);
    expect(one).toMatchObject({ type: "text-delta", text: "a", offset: 1 });
    expect(two?.offset).toBe(2);
    expect(one?.id).not.toBe(two?.id);
  });

  test("drops its oldest events beyond maxEvents; earlier offsets read from the first remaining event", async () => {
    const streams = createMemoryStreams({ world: newWorld(), maxEvents: () => 3 });
    for (let count = 1; count <= 5; count += 1) streams.push(DELTAS, delta("x"));
    expect(offsets(await streams.read(DELTAS, 0, 10))).toEqual([3, 4, 5]);
    expect(offsets(await streams.read(DELTAS, 1, 1))).toEqual([3]);
    expect(offsets(await streams.read(DELTAS, 3, 10))).toEqual([4, 5]);
    expect(await streams.head(DELTAS)).toBe(5);
  });

  test("is forgotten before its grace period ends when too many are closed, the earliest closed first", async () => {
    const streams = createMemoryStreams({ world: newWorld() });
    const names = Array.from(
      { length: MAX_CLOSED_STREAMS + 1 },
      (_, at) => `deltas:act_${String(at).padStart(26, "0")}` as StreamName,
    );
    for (const name of names) {
      streams.push(name, delta("x"));
      streams.close(name);
    }
    expect(names.filter((name) => !streams.has(name))).toEqual(names.slice(0, 1));
  });

  test("drops its oldest events beyond its maximum size, and a single larger one", async () => {
    const streams = createMemoryStreams({ world: newWorld() });
    // JSON counts two bytes per character, so two of these fit and three do not.
    const third = "x".repeat(MAX_STREAM_BYTES / 5);
    for (let count = 1; count <= 4; count += 1) streams.push(DELTAS, delta(third));
    expect(offsets(await streams.read(DELTAS, 0, 10))).toEqual([3, 4]);
    streams.push(DELTAS, delta("x".repeat(MAX_STREAM_BYTES)));
    expect(await streams.read(DELTAS, 0, 10)).toEqual([]);
    streams.push(DELTAS, delta("x"));
    expect(offsets(await streams.read(DELTAS, 0, 10))).toEqual([6]);
  });

  test("forgets the ids of dropped events", async () => {
    const streams = createMemoryStreams({ world: newWorld(), maxEvents: () => 1 });
    await streams.append(message(DELTAS, 1));
    await streams.append(message(DELTAS, 2));
    expect(await streams.append(message(DELTAS, 2))).toEqual({ kind: "duplicate", offset: 2 });
    expect(await streams.append(message(DELTAS, 1))).toEqual({ kind: "appended", offset: 3 });
  });

  test("a follower that fell behind continues with the first remaining event", async () => {
    const streams = createMemoryStreams({ world: newWorld(), maxEvents: () => 2 });
    const stop = new AbortController();
    const iterator = streams.follow(DELTAS, 0, stop.signal)[Symbol.asyncIterator]();
    streams.push(DELTAS, delta("1"));
    expect(offsets((await iterator.next()).value)).toEqual([1]);
    for (let count = 2; count <= 6; count += 1) streams.push(DELTAS, delta("x"));
    expect(offsets((await iterator.next()).value)).toEqual([5, 6]);
    stop.abort();
  });

  test("a closed stream ends for its followers after its last event, and for new ones within the grace period", async () => {
    const world = newWorld();
    const streams = createMemoryStreams({ world });
    const { signal } = new AbortController();
    const early = follow(streams, DELTAS, 0, signal);
    streams.push(DELTAS, delta("a"));
    streams.push(DELTAS, delta("b"));
    streams.close(DELTAS);
    await early.over;
    await world.advance(GRACE_MS - 1);
    const late = follow(streams, DELTAS, 1, signal);
    await late.over;
    expect([early.offsets, late.offsets]).toEqual([[1, 2], [2]]);
  });

  test("a closed stream accepts no events", async () => {
    const streams = createMemoryStreams({ world: newWorld() });
    streams.push(DELTAS, delta("a"));
    await streams.append(message(DELTAS, 901));
    streams.close(DELTAS);
    streams.push(DELTAS, delta("late"));
    const error = await streams.append(message(DELTAS, 902)).catch((reason: unknown) => reason);
    expect(isHearthError(error, "stream.not-found")).toBe(true);
    expect(await streams.append(message(DELTAS, 901))).toEqual({ kind: "duplicate", offset: 2 });
    expect(await streams.head(DELTAS)).toBe(2);
  });

  test("is removed after its grace period, and its name starts again at offset 1", async () => {
    const world = newWorld();
    const streams = createMemoryStreams({ world });
    streams.push(DELTAS, delta("a"));
    streams.close(DELTAS);
    await world.advance(GRACE_MS / 2);
    streams.close(DELTAS);
    expect(streams.has(DELTAS)).toBe(true);
    await world.advance(GRACE_MS / 2);
    expect([streams.has(DELTAS), await streams.head(DELTAS), await streams.read(DELTAS, 0, 9)]).toEqual([false, 0, []]);
    streams.push(DELTAS, delta("b"));
    expect(offsets(await streams.read(DELTAS, 0, 9))).toEqual([1]);
    await world.advance(2 * GRACE_MS);
    expect(streams.has(DELTAS)).toBe(true);
  });

  test("a slow follower reads to the end although the stream is forgotten meanwhile", async () => {
    const world = newWorld();
    const streams = createMemoryStreams({ world });
    for (let count = 1; count <= 150; count += 1) streams.push(DELTAS, delta("x"));
    const iterator = streams.follow(DELTAS, 0, new AbortController().signal)[Symbol.asyncIterator]();
    const first = await iterator.next();
    streams.close(DELTAS);
    await world.advance(GRACE_MS);
    expect(streams.has(DELTAS)).toBe(false);
    const second = await iterator.next();
    expect(offsets([...first.value, ...second.value])).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
    expect((await iterator.next()).done).toBe(true);
  });

  test("a stream that is closed without events ends for its followers", async () => {
    const world = newWorld();
    const streams = createMemoryStreams({ world });
    const waiting = follow(streams, DELTAS, 0, new AbortController().signal);
    streams.close(DELTAS);
    await waiting.over;
    expect(streams.has(DELTAS)).toBe(false);
  });

  test("when the house closes, closed streams are forgotten at once", async () => {
    const life = new AbortController();
    const world = newWorld();
    const streams = createMemoryStreams({ world, signal: life.signal });
    streams.push(DELTAS, delta("a"));
    streams.close(DELTAS);
    life.abort();
    await world.clock.turn();
    expect(streams.has(DELTAS)).toBe(false);
  });
});
