import { expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createFakeIds } from "../fixtures/ids.ts";
import { createCellSlots, type CellSlot, type CellSlots } from "./cell-slots.ts";

const ids = createFakeIds();
const [ana, ben] = [ids("agent"), ids("agent")];

/** Lets waiters queue, and returns the order in which they got a slot. Each frees it at once. */
const orderOf = async (places: CellSlots, ...waiters: readonly (readonly [string, AgentId, AbortSignal?])[]) => {
  const order: string[] = [];
  const all = waiters.map(async ([name, agent, signal = new AbortController().signal]) => {
    const place = await places.take(agent, signal);
    if (place !== undefined) order.push(name);
    place?.free();
  });
  return { order, all: Promise.all(all) };
};

test("there are `most` slots, and a freed slot can be taken again", () => {
  const places = createCellSlots(() => 2);
  const [one, two] = [places.takeNow(), places.takeNow()];
  expect([one, two, places.takeNow()].map((place) => place !== undefined)).toEqual([true, true, false]);
  one?.free();
  expect(places.takeNow()).toBeDefined();
});

test("freeing a slot twice frees one slot", () => {
  const places = createCellSlots(() => 1);
  const place = places.takeNow();
  place?.free();
  place?.free();
  places.takeNow();
  expect(places.takeNow()).toBeUndefined();
});

test("agents take turns, and the waiters of one agent are served in order", async () => {
  const places = createCellSlots(() => 1);
  const held = places.takeNow() as CellSlot;
  const { order, all } = await orderOf(
    places,
    ...([
      ["ana 1", ana],
      ["ana 2", ana],
      ["ana 3", ana],
      ["ben 1", ben],
      ["ben 2", ben],
    ] as const),
  );
  expect(places.waiting).toBe(5);
  held.free();
  await all;
  expect(order).toEqual(["ana 1", "ben 1", "ana 2", "ben 2", "ana 3"]);
  expect(places.waiting).toBe(0);
});

test("`takeNow` never overtakes a waiter", async () => {
  const places = createCellSlots(() => 1);
  const held = places.takeNow() as CellSlot;
  const got = places.take(ana, new AbortController().signal);
  held.free();
  expect(places.takeNow()).toBeUndefined();
  (await got)?.free();
  expect(places.takeNow()).toBeDefined();
});

test("an aborted waiter leaves the queue, and the next one gets its turn", async () => {
  const places = createCellSlots(() => 1);
  const held = places.takeNow() as CellSlot;
  const stop = new AbortController();
  const { order, all } = await orderOf(places, ["ana 1", ana, stop.signal], ["ben 1", ben]);
  stop.abort();
  expect(places.waiting).toBe(1);
  held.free();
  await all;
  expect(order).toEqual(["ben 1"]);
  expect(await places.take(ana, stop.signal)).toBeUndefined();
  expect(places.takeNow()).toBeDefined();
});

test("a raised limit serves waiters, and a lowered one keeps freed slots", async () => {
  let most = 1;
  const places = createCellSlots(() => most);
  const first = places.takeNow() as CellSlot;
  const second = places.take(ana, new AbortController().signal);
  most = 2;
  places.serve();
  expect(await second).toBeDefined();
  expect(places.waiting).toBe(0);
  most = 1;
  first.free();
  expect(places.takeNow()).toBeUndefined();
});
