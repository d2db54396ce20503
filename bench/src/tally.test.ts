import { expect, test } from "bun:test";
import { delayOf, joinTallies, perSecond, type Tally } from "./tally.ts";

const one: Tally = {
  events: 3,
  frames: 2,
  firstMs: 1000,
  lastMs: 1500,
  delays: [
    [50, 1],
    [10, 2],
  ],
};
const other: Tally = {
  events: 7,
  frames: 3,
  firstMs: 500,
  lastMs: 2500,
  delays: [
    [20, 6],
    [900, 1],
  ],
};

test("joined tallies sum their events and span from the first arrival to the last", () => {
  const all = joinTallies([one, other]);
  expect(all).toMatchObject({ events: 10, frames: 5, firstMs: 500, lastMs: 2500 });
  expect(perSecond(all)).toBe(5);
});

test("a percentile is the shortest delay that this share of events does not exceed, in milliseconds", () => {
  const all = joinTallies([one, other]);
  expect([0, 20, 21, 80, 81, 90, 91, 100].map((percent) => delayOf(all, percent))).toEqual([1, 1, 2, 2, 5, 5, 90, 90]);
});

test("a percentile without events throws", () => {
  expect(() => delayOf({ ...one, events: 0, delays: [] }, 50)).toThrow(RangeError);
});
