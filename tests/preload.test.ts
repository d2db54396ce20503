/** Shows that generators reach the lengths that tests name; see preload.ts. */
import { expect, test } from "bun:test";
import fc from "fast-check";

const longest = (sized: fc.Arbitrary<{ readonly length: number }>): number =>
  Math.max(...fc.sample(sized, { seed: 1, numRuns: 500 }).map(({ length }) => length));

test("a generator reaches the longest length that it is given", () => {
  expect(longest(fc.array(fc.nat(), { maxLength: 200 }))).toBe(200);
  expect(longest(fc.string({ maxLength: 600 }))).toBeGreaterThan(590);
  expect(longest(fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }))).toBeGreaterThanOrEqual(100);
});

test("a model test reaches the most steps that it is given", () => {
  const step = { check: () => true, run: () => undefined, toString: () => "step" };
  const commands = fc.commands([fc.constant(step)], { maxCommands: 30 });
  expect(Math.max(...fc.sample(commands, { seed: 1, numRuns: 500 }).map((all) => [...all].length))).toBe(30);
});

test("a generator without a longest length stays small", () => {
  expect(longest(fc.array(fc.nat()))).toBeLessThanOrEqual(10);
});
