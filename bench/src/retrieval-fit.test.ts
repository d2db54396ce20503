import { expect, test } from "bun:test";
import { type Example, fitWeights } from "./retrieval-fit.ts";
import { meanQuality, measureOrder } from "./retrieval-measure.ts";

/**
 * Five rows of three columns: the first column is higher in the right row, the second is noise, the
 * third is constant.
 */
const examples: readonly Example[] = Array.from({ length: 60 }, (_, which) => {
  const rows = Array.from({ length: 5 }, (_row, row) => [
    row === which % 5 ? 1.5 : (row * 7 + which) % 3 ? 0.5 : 1,
    Math.sin(which * 5 + row * 3),
    1,
  ]);
  return { rows: Float64Array.from(rows.flat()), right: [which % 5], weight: 1 };
});

test("the column that distinguishes right rows gets the weight, noise and constants get none", () => {
  const [signal = 0, noise = 0, constant = 0] = fitWeights(examples, 3, 1);
  expect(signal).toBeGreaterThan(1);
  expect(Math.abs(noise)).toBeLessThan(signal / 5);
  expect(Math.abs(constant)).toBeLessThan(1e-6);
});

test("a stronger ridge gives smaller weights", () => {
  const [weak = 0] = fitWeights(examples, 3, 1);
  const [strong = 0] = fitWeights(examples, 3, 100);
  expect(strong).toBeGreaterThan(0);
  expect(strong).toBeLessThan(weak);
});

test("twice the weight of every question has the effect of half the ridge", () => {
  const heavy = examples.map((example) => ({ ...example, weight: 2 }));
  const halved = fitWeights(examples, 3, 1);
  for (const [at, weight] of fitWeights(heavy, 3, 2).entries()) expect(weight).toBeCloseTo(halved[at] ?? Number.NaN, 3);
  expect(fitWeights(heavy, 3, 1)[0]).toBeGreaterThan((halved[0] ?? Number.NaN) + 0.01);
});

test("a heavy question outweighs a light one with the opposite answer", () => {
  const rows = Float64Array.of(1, 0);
  const [first = 0] = fitWeights(
    [
      { rows, right: [0], weight: 3 },
      { rows, right: [1], weight: 1 },
    ],
    1,
    0.1,
  );
  const [second = 0] = fitWeights(
    [
      { rows, right: [0], weight: 1 },
      { rows, right: [1], weight: 3 },
    ],
    1,
    0.1,
  );
  expect(first).toBeGreaterThan(0.5);
  expect(second).toBeLessThan(-0.5);
});

test("no examples give no weight", () => {
  expect([...fitWeights([], 2, 1)]).toEqual([0, 0]);
});

test("an order is measured by the ranks of the right chunks", () => {
  expect(measureOrder(["x", "a", "y", "b"], ["a", "b", "c"])).toEqual({
    recallAt5: 2 / 3,
    recallAt10: 2 / 3,
    recallAt20: 2 / 3,
    mrr: 1 / 2,
    questions: 1,
    ndcgAt10: (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3) + 1 / 2),
  });
  expect(measureOrder(["x"], ["a"])).toMatchObject({ recallAt5: 0, mrr: 0, ndcgAt10: 0 });
});

test("every question has equal weight", () => {
  const mean = meanQuality([measureOrder(["a"], ["a"]), measureOrder(["x", "a"], ["a"])]);
  expect(mean).toMatchObject({ recallAt5: 1, mrr: 0.75, questions: 2 });
  expect(meanQuality([])).toMatchObject({ recallAt10: 0, questions: 0 });
});
