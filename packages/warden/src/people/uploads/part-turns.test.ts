import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createPartTurns } from "./part-turns.ts";

const setUp = () => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const turns = createPartTurns(world.clock);
  const left = new AbortController();
  const begin = (offset: number, id = "upl_1") => {
    const turn = turns.begin(id, offset, { ms: 1000, signal: left.signal });
    let isOver = false;
    turn.reached.then(() => void (isOver = true)).catch(() => {});
    return { turn, isOver: async () => world.clock.turn().then(() => isOver) };
  };
  return { world, turns, left, begin };
};

test("a wait ends when its upload reaches the offset, and not before", async () => {
  const { turns, begin } = setUp();
  const [first, second, other] = [begin(4), begin(8), begin(4, "upl_2")];
  turns.advance("upl_1", 3);
  expect(await first.isOver()).toBe(false);
  turns.advance("upl_1", 4);
  expect([await first.isOver(), await second.isOver(), await other.isOver()]).toEqual([true, false, false]);
  turns.advance("upl_1", 10);
  expect(await second.isOver()).toBe(true);
});

test("a wait ends after its time, with its signal, and when it is disposed", async () => {
  const { world, left, begin } = setUp();
  const [timed, disposed] = [begin(4), begin(4)];
  disposed.turn[Symbol.dispose]();
  expect([await timed.isOver(), await disposed.isOver()]).toEqual([false, true]);
  await world.advance(1000);
  expect(await timed.isOver()).toBe(true);
  const aborted = begin(4);
  left.abort();
  expect(await aborted.isOver()).toBe(true);
});
