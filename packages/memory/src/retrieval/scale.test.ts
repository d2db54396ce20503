import { expect, test } from "bun:test";
import fc from "fast-check";
import { bestOf, blend, dot, normOf, numbersOf, rank, standardize, minMaxScale } from "./scale.ts";

const numbers = (...values: readonly number[]): Float64Array => Float64Array.from(values);

test("`numbersOf` gives each item and its index to the function", () => {
  expect(numbersOf(["a", "bb", "ccc"], ({ length }, at) => length * 10 + at)).toEqual(numbers(10, 21, 32));
});

test("`standardize` returns distances from the mean in standard deviations, and 0 for missing numbers", () => {
  expect(standardize(numbers(1, 3))).toEqual(numbers(-1, 1));
  expect(standardize(numbers(NaN, 1, NaN, 3))).toEqual(numbers(0, -1, 0, 1));
  expect(standardize(numbers(2, 4, 4, 4, 5, 5, 7, 9))).toEqual(numbers(-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2));
  expect(standardize(numbers(5, 5, NaN))).toEqual(numbers(0, 0, 0));
  expect(standardize(numbers(NaN, NaN))).toEqual(numbers(0, 0));
  expect(standardize(numbers())).toEqual(numbers());
});

test("`stretch` scales to 0 … 1, and missing or equal numbers to 0", () => {
  expect(minMaxScale(numbers(-2, 0, 2))).toEqual(numbers(0, 0.5, 1));
  expect(minMaxScale(numbers(NaN, 1, 5, 2))).toEqual(numbers(0, 0, 1, 0.25));
  expect(minMaxScale(numbers(3, 3, NaN))).toEqual(numbers(0, 0, 0));
  expect(minMaxScale(numbers(NaN))).toEqual(numbers(0));
});

test.each([0, 1, 2, 3, 4, 5, 7, 8, 9])("`dot` sums the products of %d pairs", (length) => {
  const one = Float32Array.from({ length }, (_, at) => at + 1);
  const other = Float32Array.from({ length }, (_, at) => 10 ** (at % 5));
  const expected = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  expect(dot(one, other)).toBe(expected);
});

test("`blend` weighs vectors, and the result has length 1 unless it is zero", () => {
  const [one, other] = [Float32Array.of(3, 0), Float32Array.of(0, 2)];
  expect(blend([one, other], [1, 2])).toEqual(Float32Array.of(0.6, 0.8));
  expect(blend([one, other], [2])).toEqual(Float32Array.of(1, 0));
  expect(blend([one], [0])).toEqual(Float32Array.of(0, 0));
  expect(blend([], [])).toEqual(Float32Array.of());
  expect(normOf(numbers(3, 4))).toBe(5);
});

test("`rank` orders by score and keeps the order of equal scores", () => {
  expect(rank(numbers(1, 3, 2, 3, 1))).toEqual([1, 3, 2, 0, 4]);
});

test("`bestOf` returns the first of `rank`", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 14 }), (values, most) => {
      const all = numbers(...values);
      expect(bestOf(all, most)).toEqual(rank(all).slice(0, most));
    }),
  );
});
