/** How near a day is to the time that a question names, at the exact edges of each stretch. */
import { expect, test } from "bun:test";
import type { Day } from "../chunks/days.ts";
import { scoreDate } from "./nearness.ts";

const span = (from: string, to = from) => ({ spans: [{ from: from as Day, to: to as Day }], months: [] });

test.each([
  ["the very day", "2024-03-10", 1.5],
  ["the day before", "2024-03-09", 1.5],
  ["two days before", "2024-03-08", 0.4],
  ["two days after", "2024-03-12", 0.7],
  ["the last day that is soon", "2024-03-18", 0.7],
  ["the day after that", "2024-03-19", 0.4],
  ["the last day within a month", "2024-04-10", 0.4],
  ["the day after that", "2024-04-11", 0],
])("one day that was asked for: %s", (_, date, expected) => {
  expect(scoreDate(date, span("2024-03-10"))).toBe(expected);
});

test.each([
  ["the day before it", "2024-03-09", 0],
  ["its first day", "2024-03-10", 1],
  ["its last day", "2024-03-16", 1],
  ["the day after it", "2024-03-17", 0.4],
  ["the last day that is soon", "2024-03-24", 0.4],
  ["the day after that", "2024-03-25", 0],
])("a week that was asked for: %s", (_, date, expected) => {
  expect(scoreDate(date, span("2024-03-10", "2024-03-16"))).toBe(expected);
});

test.each([
  ["a month of 31 days counts as short", "2024-03-31", "2024-03-01", "2024-03-31", 1],
  ["a longer stretch says little", "2024-03-31", "2024-03-01", "2024-04-01", 0.3],
  ["its first day", "2024-03-01", "2024-03-01", "2024-04-01", 0.3],
  ["its last day", "2024-04-01", "2024-03-01", "2024-04-01", 0.3],
  ["the day after it", "2024-04-02", "2024-03-01", "2024-04-01", 0],
])("a long stretch that was asked for: %s", (_, date, from, to, expected) => {
  expect(scoreDate(date, span(from, to))).toBe(expected);
});
