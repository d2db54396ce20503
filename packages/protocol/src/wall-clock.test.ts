import { expect, test } from "bun:test";
import { wallDay, wallTime } from "./wall-clock.ts";

const at = Date.UTC(2026, 10, 22, 23, 30, 59, 999);

test("a wall shows the weekday, the day and the minute of its zone", () => {
  expect(wallTime(at, "Europe/Berlin")).toEqual({
    ...{ weekday: "Mon", year: "2026", month: "11", day: "23", hour: "00", minute: "30" },
  });
  expect(["UTC", "Asia/Kathmandu", "America/New_York"].map((zone) => wallDay(at, zone))).toEqual([
    ...["2026-11-22", "2026-11-23", "2026-11-22"],
  ]);
});

test("what is asked again is answered alike, also across a change of the clocks and when much was asked between", () => {
  const change = Date.UTC(2026, 2, 29, 1);
  const around = [change - 1, change, change + 60_000];
  const ask = (): readonly string[] =>
    around.map((one) => wallTime(one, "Europe/Berlin")).map(({ hour, minute }) => `${hour}:${minute}`);
  expect(ask()).toEqual(["01:59", "03:00", "03:01"]);
  for (let minute = 0; minute < 5000; minute += 1) wallTime(minute * 60_000, "Europe/Berlin");
  for (let hours = -12; hours <= 12; hours += 1) wallTime(0, `Etc/GMT${hours < 0 ? hours : `+${hours}`}`);
  for (const zone of ["Asia/Tokyo", "Asia/Seoul", "Asia/Dubai", "Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "UTC"])
    wallTime(0, zone);
  expect(ask()).toEqual(["01:59", "03:00", "03:01"]);
});

test("before 1970 a wall shows its time too", () => {
  expect(wallTime(-1, "UTC")).toMatchObject({ year: "1969", month: "12", day: "31", hour: "23", minute: "59" });
});

test("a zone that is none is refused each time", () => {
  for (let times = 0; times < 2; times += 1) expect(() => wallTime(0, "Moon/Tycho")).toThrow(RangeError);
});
