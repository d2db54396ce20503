import { expect, test } from "bun:test";
import { formatAge, localTime, formatDuration } from "./time.ts";

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

test.each([
  [0, "just now"],
  [second - 1, "just now"],
  [second, "1 s ago"],
  [minute - 1, "59 s ago"],
  [minute, "1 min ago"],
  [hour - 1, "59 min ago"],
  [hour, "1 h ago"],
  [day - 1, "23 h ago"],
  [day, "1 d ago"],
  [40 * day, "40 d ago"],
])("an instant %p ms ago is shown as %p", (ms, text) => {
  expect(formatAge(5, 5 + ms)).toBe(text);
});

test.each([
  [0, "0 ms"],
  [12.4, "12 ms"],
  [999, "999 ms"],
  [second, "1.0 s"],
  [1_440, "1.4 s"],
  [minute - 60, "59.9 s"],
  [minute, "1 min"],
  [3.5 * minute, "3.5 min"],
  [hour - minute, "59 min"],
  [hour, "1 h"],
  [2.5 * hour, "2.5 h"],
])("a duration of %p ms is shown as %p", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("a local time has two digits for each part after the year", () => {
  expect(localTime(new Date(2026, 0, 3, 4, 5, 6).getTime())).toBe("2026-01-03 04:05:06");
  expect(localTime(new Date(2026, 11, 31, 23, 59, 58).getTime())).toBe("2026-12-31 23:59:58");
});
