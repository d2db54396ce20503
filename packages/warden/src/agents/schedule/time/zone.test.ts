import { expect, test } from "bun:test";
import { createZone, createZoneOf } from "./zone.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);

/** A zone one hour ahead of UTC until `change`, and two after it. It counts the offset lookups. */
const openZone = (change = Infinity) => {
  let looks = 0;
  const zone = createZoneOf("Test/Zone", (instant) => {
    looks += 1;
    return instant < change ? HOUR_MS : 2 * HOUR_MS;
  });
  return { zone, looks: () => looks };
};

test("the local time at one instant takes one offset lookup", () => {
  const { zone, looks } = openZone();
  expect(zone.toLocal(NOON)).toBe(NOON + HOUR_MS);
  expect(looks()).toBe(1);
});

test("an instant takes one lookup per day of about a month, and nearby ones none", () => {
  const { zone, looks } = openZone();
  expect(zone.toInstant(NOON)).toBe(NOON - HOUR_MS);
  const first = looks();
  expect(first).toBeLessThan(45);
  for (let days = -1; days < 28; days += 1) {
    expect(zone.toInstant(NOON + days * DAY_MS)).toBe(NOON + days * DAY_MS - HOUR_MS);
    expect(zone.toLocal(NOON + days * DAY_MS)).toBe(NOON + days * DAY_MS + HOUR_MS);
  }
  expect(looks()).toBe(first);
});

test("a change is found to the second from any starting point", () => {
  const change = NOON + 40 * DAY_MS + 7_000;
  for (let days = -40; days < 100; days += 1) {
    const { zone } = openZone(change);
    const instant = NOON + days * DAY_MS;
    const { start, end, offset } = zone.periodAt(instant);
    expect(offset).toBe(instant < change ? HOUR_MS : 2 * HOUR_MS);
    expect([start <= instant, instant < end]).toEqual([true, true]);
    expect(instant < change ? end <= change : start >= change).toBe(true);
    if (instant < change) expect(zone.toInstant(instant + HOUR_MS)).toBe(instant);
  }
  const { zone } = openZone(change);
  expect(zone.periodAt(change - 1).end).toBe(change);
  expect(zone.periodAt(change).start).toBe(change);
  // An hour that the clock skips maps to as long after the gap.
  expect(zone.toInstant(change + HOUR_MS)).toBe(change);
});

test("offsets match the calendar to the second", () => {
  const offsetOf = (name: string, instant: number): number => createZone(name).periodAt(instant).offset / 1000;
  expect(offsetOf("Europe/Berlin", NOON)).toBe(7200);
  expect(offsetOf("America/New_York", NOON)).toBe(-4 * 3600);
  expect(offsetOf("Asia/Kolkata", NOON)).toBe(19_800);
  expect(offsetOf("Europe/Berlin", Date.UTC(1880, 0, 1))).toBe(53 * 60 + 28);
  expect(offsetOf("UTC", NOON + 1)).toBe(0);
});
