import { expect, test } from "bun:test";
import { isQuiet } from "./push-rules.ts";

const at = (text: string): number => Date.parse(text);

test("quiet hours end on the next day if they end before they begin", () => {
  const night = { from: "22:00", to: "07:00", timezone: "UTC" };
  expect(
    ["21:59", "22:00", "23:59", "00:00", "06:59", "07:00"].map((time) => isQuiet(night, at(`2026-01-05T${time}Z`))),
  ).toEqual([...[false, true, true, true, true, false]]);
  const day = { from: "09:00", to: "17:00", timezone: "UTC" };
  expect(["08:59", "09:00", "16:59", "17:00"].map((time) => isQuiet(day, at(`2026-01-05T${time}Z`)))).toEqual([
    ...[false, true, true, false],
  ]);
});

test("quiet hours follow the person's time zone and its summer time", () => {
  const night = { from: "22:00", to: "23:00", timezone: "Europe/Berlin" };
  expect([isQuiet(night, at("2026-01-05T21:30Z")), isQuiet(night, at("2026-07-06T21:30Z"))]).toEqual([true, false]);
  expect(isQuiet(night, at("2026-07-06T20:30Z"))).toBe(true);
});

test("days are those on which the quiet hours begin", () => {
  // 2026-01-10 is a Saturday.
  const weekend = { from: "22:00", to: "07:00", timezone: "UTC", days: [6, 7] };
  const times = ["09T23:00", "10T06:00", "10T23:00", "11T06:00", "11T23:00", "12T06:00", "12T23:00"];
  expect(times.map((time) => isQuiet(weekend, at(`2026-01-${time}Z`)))).toEqual([
    ...[false, false, true, true, true, true, false],
  ]);
  const monday = { from: "22:00", to: "07:00", timezone: "UTC", days: [7] };
  expect(isQuiet(monday, at("2026-01-12T06:00Z"))).toBe(true);
});
