import { expect, test } from "bun:test";
import type { JobSchedule } from "@hearth/protocol";
import { findDueSlots, createSlotsOf } from "./slots.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const slotsOf = createSlotsOf();
const cron = (expression: string, zone: string): JobSchedule => ({ kind: "cron", cron: expression, zone });

const between = (schedule: JobSchedule, from: string | number, to: string | number): string[] => {
  const slots = slotsOf(schedule);
  const end = new Date(to).getTime();
  const found: string[] = [];
  let slot = slots.next(new Date(from).getTime() - 1);
  while (slot !== undefined && slot < end) {
    found.push(new Date(slot).toISOString().slice(0, 16));
    slot = slots.next(slot);
  }
  return found;
};

test("a time that the clock skips fires once, as long after the gap as after its start", () => {
  expect(between(cron("30 2 * * *", "America/New_York"), "2026-03-07T12:00Z", "2026-03-09T12:00Z")).toEqual([
    "2026-03-08T07:30",
    "2026-03-09T06:30",
  ]);
  // A change by half an hour.
  expect(between(cron("15 2 * * *", "Australia/Lord_Howe"), "2026-10-03T12:00Z", "2026-10-04T12:00Z")).toEqual([
    "2026-10-03T15:45",
  ]);
  // A change across midnight.
  expect(between(cron("0 0 * * *", "Africa/Cairo"), "2026-04-23T12:00Z", "2026-04-24T12:00Z")).toEqual([
    "2026-04-23T22:00",
  ]);
});

test("a time that occurs twice fires once, the first time", () => {
  expect(between(cron("30 1 * * *", "America/New_York"), "2026-10-31T12:00Z", "2026-11-02T12:00Z")).toEqual([
    "2026-11-01T05:30",
    "2026-11-02T06:30",
  ]);
});

test("an expression by local minutes fires each time, a hundred times on a day of 25 hours and 92 times on one of 23", () => {
  const quarters = cron("*/15 * * * *", "America/New_York");
  expect(between(quarters, "2026-11-01T04:00Z", "2026-11-02T05:00Z")).toHaveLength(100);
  expect(between(quarters, "2026-03-08T05:00Z", "2026-03-09T04:00Z")).toHaveLength(92);
});

test("times that meet after a forward clock change are one slot", () => {
  expect(between(cron("30 2,3 * * *", "America/New_York"), "2026-03-08T05:00Z", "2026-03-09T04:00Z")).toEqual([
    "2026-03-08T07:30",
  ]);
});

test("R10: a leap day fires in leap years", () => {
  expect(between(cron("0 0 29 2 *", "UTC"), "2026-01-01T00:00Z", "2033-01-01T00:00Z")).toEqual([
    "2028-02-29T00:00",
    "2032-02-29T00:00",
  ]);
});

test("an expression that never matches has no slot", () => {
  expect(between(cron("0 0 30 2 *", "UTC"), "2026-01-01T00:00Z", "2029-01-01T00:00Z")).toEqual([]);
  expect(between(cron("*/5 0 30 2 *", "Europe/Berlin"), "2026-01-01T00:00Z", "2029-01-01T00:00Z")).toEqual([]);
});

test("intervals count from their start, which is not a slot; before the start, the first slot is next", () => {
  const every = { kind: "every", everyMs: 90 * MINUTE_MS, from: Date.UTC(2026, 0, 1) } as const;
  expect(between(every, "2026-01-01T00:00Z", "2026-01-01T05:00Z")).toEqual([
    ...["2026-01-01T01:30", "2026-01-01T03:00", "2026-01-01T04:30"],
  ]);
  expect(slotsOf(every).next(0)).toBe(Date.UTC(2026, 0, 1, 1, 30));
});

test("once is once", () => {
  const once = { kind: "once", at: Date.UTC(2026, 5, 1) } as const;
  expect(between(once, 0, "2027-01-01T00:00Z")).toEqual(["2026-06-01T00:00"]);
});

test("nothing is due after the end", () => {
  const until = Date.UTC(2026, 0, 3);
  const slots = slotsOf(cron("0 0 * * *", "UTC"), until);
  expect([slots.next(until - 1), slots.next(until)]).toEqual([until, undefined]);
});

test("due slots are counted, and the last ones are listed", () => {
  const slots = slotsOf(cron("0 * * * *", "UTC"));
  const first = Date.UTC(2026, 0, 1, 1);
  const due = findDueSlots(slots, first, first + 5 * HOUR_MS + 1, 2);
  expect(due).toEqual({
    first,
    last: first + 5 * HOUR_MS,
    count: 6,
    latest: [first + 4 * HOUR_MS, first + 5 * HOUR_MS],
  });
  expect(findDueSlots(slots, first, first - 1, 2)).toBeUndefined();
});
