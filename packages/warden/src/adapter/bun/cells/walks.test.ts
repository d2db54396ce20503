import { expect, test } from "bun:test";
import { createWalkSchedule, MAX_WALK_DELAY_MS } from "./walks.ts";

const begin = () => {
  let now = 0;
  const walks = createWalkSchedule({ clock: { monotonic: () => now }, maxBytes: 100, free: 1000, bytes: 40 });
  return { walks, pass: (ms: number) => (now += ms) };
};

test("an unchanged disk is never walked", () => {
  const { walks, pass } = begin();
  pass(10 * MAX_WALK_DELAY_MS);
  expect(walks.isDue(1000)).toBe(false);
});

test("a disk that lost all that the cell may still write is walked at once", () => {
  const { walks } = begin();
  expect(walks.isDue(941)).toBe(false);
  expect(walks.isDue(940)).toBe(true);
});

test("small losses add up", () => {
  const { walks } = begin();
  expect([980, 960, 940].map((free) => walks.isDue(free))).toEqual([false, false, true]);
});

test("a disk with small changes or freed space is walked from time to time", () => {
  const { walks, pass } = begin();
  pass(MAX_WALK_DELAY_MS - 1);
  expect([999, 1500].map((free) => walks.isDue(free))).toEqual([false, false]);
  pass(1);
  expect([999, 1500].map((free) => walks.isDue(free))).toEqual([true, true]);
});

test("a walk restarts the interval", () => {
  const { walks, pass } = begin();
  pass(MAX_WALK_DELAY_MS);
  walks.record(950, 90);
  expect(walks.isDue(941)).toBe(false);
  expect(walks.isDue(940)).toBe(true);
  pass(MAX_WALK_DELAY_MS);
  expect([950, 949].map((free) => walks.isDue(free))).toEqual([false, true]);
});

test("for a cell over its limit, every loss of space causes a walk", () => {
  const walks = createWalkSchedule({ clock: { monotonic: () => 0 }, maxBytes: 100, free: 1000, bytes: 100 });
  expect(walks.isDue(999)).toBe(true);
});
