import { describe, expect, test } from "bun:test";
import { median, percentile, range, withWaiting } from "./statistics.ts";

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe("a percentile", () => {
  test("is the nearest rank, for measurements in any order", () => {
    expect([1, 50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 50, 99, 100]);
  });

  test("is always one of the measurements", () => {
    expect(percentile([10, 20], 50)).toBe(10);
    expect(percentile([10, 20], 51)).toBe(20);
    expect(percentile([10, 20, 30], 99)).toBe(30);
  });

  test("p99 of 300 measurements leaves three above it", () => {
    const measurements = Array.from({ length: 300 }, (_, index) => index + 1);
    expect(percentile(measurements, 99)).toBe(297);
  });

  test("sorts numbers", () => {
    expect(percentile([9, 10, 100], 100)).toBe(100);
    expect(percentile([100, 9, 10], 1)).toBe(9);
  });

  test("throws without measurements, or outside 0 to 100", () => {
    expect(() => percentile([], 50)).toThrow("No measurements.");
    expect(() => percentile([1], 101)).toThrow("out of range: 101");
    expect(() => percentile([1], -1)).toThrow("out of range: -1");
  });
});

describe("a median", () => {
  test("is the middle measurement, or the mean of the two middle ones", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  test("throws without measurements", () => {
    expect(() => median([])).toThrow("No measurements.");
  });
});

test("a range is the minimum and the maximum", () => {
  expect(range([5, 3, 9])).toEqual([3, 9]);
});

describe("a response time with the waits it causes", () => {
  test("counts once if it is shorter than the interval", () => {
    expect(withWaiting(4, 5)).toEqual([4]);
    expect(withWaiting(5, 5)).toEqual([5]);
  });

  test("also counts for each request that was due meanwhile", () => {
    expect(withWaiting(12, 5)).toEqual([12, 7, 2]);
  });
});
