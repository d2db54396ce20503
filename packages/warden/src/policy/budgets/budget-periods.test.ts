/** Days and months of wall clocks. */
import { describe, expect, test } from "bun:test";
import { periodsAt } from "./budget-periods.ts";

const utc = (text: string): number => Date.parse(`${text}Z`);
const show = (at: number): string => new Date(at).toISOString().slice(0, 16);

describe("the day and the month of an instant", () => {
  test("are those of the zone, and end where its next ones begin", () => {
    const { day, month } = periodsAt(utc("2026-11-21T23:30"), "Europe/Berlin");
    expect([day.key, show(day.endsAt)]).toEqual(["2026-11-22", "2026-11-22T23:00"]);
    expect([month.key, show(month.endsAt)]).toEqual(["2026-11", "2026-11-30T23:00"]);
    expect(periodsAt(utc("2026-11-21T23:30"), "UTC").day.key).toBe("2026-11-21");
  });

  test("a day that loses an hour has 23 hours, and one that gains an hour has 25", () => {
    const spring = periodsAt(utc("2026-03-29T10:00"), "Europe/Berlin");
    expect([spring.day.key, show(spring.day.endsAt)]).toEqual(["2026-03-29", "2026-03-29T22:00"]);
    const autumn = periodsAt(utc("2026-10-24T22:00"), "Europe/Berlin");
    expect([autumn.day.key, show(autumn.day.endsAt)]).toEqual(["2026-10-25", "2026-10-25T23:00"]);
  });

  test("a day without midnight begins at 01:00", () => {
    // In Cairo, clocks go from 23:59 to 01:00 on that day.
    const { day } = periodsAt(utc("2026-04-23T12:00"), "Africa/Cairo");
    expect([day.key, show(day.endsAt)]).toEqual(["2026-04-23", "2026-04-23T22:00"]);
    expect(periodsAt(day.endsAt, "Africa/Cairo").day.key).toBe("2026-04-24");
    expect(periodsAt(day.endsAt - 1, "Africa/Cairo").day.key).toBe("2026-04-23");
  });

  test("each period ends at the first instant of the next, in every zone, throughout the year", () => {
    for (const zone of ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"]) {
      for (let at = utc("2026-01-01T00:07"), days = 0; days < 366; days += 1) {
        const { day, month } = periodsAt(at, zone);
        expect(periodsAt(day.endsAt - 1, zone).day.key).toBe(day.key);
        const next = periodsAt(day.endsAt, zone);
        expect(next.day.key > day.key).toBe(true);
        expect(next.month.key === month.key).toBe(day.endsAt < month.endsAt);
        at = day.endsAt;
      }
    }
  });
});
