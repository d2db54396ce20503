import { expect, test } from "bun:test";
import { isBetween, wallDay, wallTime } from "./wall-clock.ts";

const at = Date.UTC(2026, 10, 22, 23, 30, 59, 999);

test("`wallTime` returns the weekday, day and minute of its zone", () => {
  expect(wallTime(at, "Europe/Berlin")).toEqual({
    weekday: "Mon",
    year: "2026",
    month: "11",
    day: "23",
    hour: "00",
    minute: "30",
  });
  expect(["UTC", "Asia/Kathmandu", "America/New_York"].map((zone) => wallDay(at, zone))).toEqual([
    ...["2026-11-22", "2026-11-23", "2026-11-22"],
  ]);
});

test("repeated calls give equal results, across a clock change and after the cache was evicted", () => {
  const change = Date.UTC(2026, 2, 29, 1);
  const around = [change - 1, change, change + 60_000];
  const ask = (): readonly string[] =>
    around.map((instant) => wallTime(instant, "Europe/Berlin")).map(({ hour, minute }) => `${hour}:${minute}`);
  expect(ask()).toEqual(["01:59", "03:00", "03:01"]);
  for (let minute = 0; minute < 5000; minute += 1) wallTime(minute * 60_000, "Europe/Berlin");
  for (let hours = -12; hours <= 12; hours += 1) wallTime(0, `Etc/GMT${hours < 0 ? hours : `+${hours}`}`);
  for (const zone of ["Asia/Tokyo", "Asia/Seoul", "Asia/Dubai", "Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "UTC"])
    wallTime(0, zone);
  expect(ask()).toEqual(["01:59", "03:00", "03:01"]);
});

test("`wallTime` works before 1970", () => {
  expect(wallTime(-1, "UTC")).toMatchObject({ year: "1969", month: "12", day: "31", hour: "23", minute: "59" });
});

test("an unknown zone throws at every call", () => {
  for (let times = 0; times < 2; times += 1) expect(() => wallTime(0, "Moon/Tycho")).toThrow(RangeError);
});

const utc = (text: string): number => Date.parse(`${text}Z`);
const HOUR = 3_600_000;

test("hours are local, also on days of clock changes", () => {
  const hours = { from: "02:00", to: "03:00" } as const;
  const active = (day: string) =>
    Array.from({ length: 24 }, (_, hour) => utc(`${day}T00:00`) - HOUR + hour * HOUR)
      .filter((at) => isBetween(hours, at, "Europe/Berlin"))
      .map((at) => new Date(at).toISOString().slice(11, 16));
  expect(active("2026-03-28")).toEqual(["01:00"]);
  // The hour does not exist on the first of these days and occurs twice on the second.
  expect(active("2026-03-29")).toEqual([]);
  expect(active("2026-10-25")).toEqual(["00:00", "01:00"]);
});

test("hours include `from` and exclude `to`, also across midnight", () => {
  const at = (time: string): number => utc(`2026-01-01T${time}`);
  const within = (from: string, to: string, ...times: string[]) =>
    times.map((time) => isBetween({ from, to }, at(time), "UTC"));
  expect(within("08:00", "22:00", "07:59", "08:00", "21:59", "22:00")).toEqual([false, true, true, false]);
  expect(within("22:00", "06:00", "21:59", "22:00", "00:00", "05:59", "06:00")).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(within("08:00", "24:00", "23:59", "00:00")).toEqual([true, false]);
});
