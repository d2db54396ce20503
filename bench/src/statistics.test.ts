import { describe, expect, test } from "bun:test";
import { median, percentile, range, withWaiting } from "./statistics.ts";

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe("a percentile", () => {
  test("is the nearest rank, whatever the order of the measurements", () => {
    expect([1, 50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 50, 99, 100]);
  });

  test("is always one that was measured", () => {
    expect(percentile([10, 20], 50)).toBe(10);
    expect(percentile([10, 20], 51)).toBe(20);
    expect(percentile([10, 20, 30], 99)).toBe(30);
  });

  test("of 300 leaves three above its 99th", () => {
    const measurements = Array.from({ length: 300 }, (_, index) => index + 1);
    expect(percentile(measurements, 99)).toBe(297);
  });

  test("sorts numbers as numbers", () => {
    expect(percentile([9, 10, 100], 100)).toBe(100);
    expect(percentile([100, 9, 10], 1)).toBe(9);
  });

  test("of nothing, or outside 0 to 100, is refused", () => {
    expect(() => percentile([], 50)).toThrow("Nothing was measured.");
    expect(() => percentile([1], 101)).toThrow("no percentile 101");
    expect(() => percentile([1], -1)).toThrow("no percentile -1");
  });
});

describe("a median", () => {
  test("is the middle one of an odd number, and between two of an even one", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  test("of nothing is refused", () => {
    expect(() => median([])).toThrow("Nothing was measured.");
  });
});

test("a range is the least and the most", () => {
  expect(range([5, 3, 9])).toEqual([3, 9]);
});

describe("a response time with its waiting", () => {
  test("shorter than the interval counts once", () => {
    expect(withWaiting(4, 5)).toEqual([4]);
    expect(withWaiting(5, 5)).toEqual([5]);
  });

  test("longer than the interval counts for each who would have asked meanwhile", () => {
    expect(withWaiting(12, 5)).toEqual([12, 7, 2]);
  });
});
