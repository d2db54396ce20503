/** The times in the jobs file, and schedules in words. */
import { describe, expect, test } from "bun:test";
import { MIN_JOB_INTERVAL_MS } from "@hearth/protocol";
import { describe as inWords, describeInterval, readEnd, readInstant, readInterval, requireZone } from "./terms.ts";

const [second, minute, hour, day, week] = [1_000, 60_000, 3_600_000, 86_400_000, 604_800_000] as const;
const utc = (text: string): number => Date.parse(text);

describe("an interval", () => {
  test("has a minimum", () => {
    expect(readInterval("1h30m")).toBe(1.5 * hour);
    expect(readInterval(`${MIN_JOB_INTERVAL_MS / second}s`)).toBe(MIN_JOB_INTERVAL_MS);
    expect(() => readInterval(`${MIN_JOB_INTERVAL_MS / second - 1}s`)).toThrow("is too short");
    expect(() => readInterval("soon")).toThrow('"soon" is not an interval.');
  });

  test.each([
    [second, "1s"],
    [59 * second, "59s"],
    [minute, "1m"],
    [90 * minute, "1h30m"],
    [day, "1d"],
    [week, "1w"],
    [2 * week + 3 * day + 4 * hour + 5 * minute + 6 * second, "2w3d4h5m6s"],
    [week + second, "1w1s"],
  ])("of %d ms is described as %s", (ms, text) => {
    expect(describeInterval(ms)).toBe(text);
  });
});

test.each([
  ["2026-12-01", "Europe/Berlin", "2026-11-30T23:00:00Z"],
  ["2026-12-01T09:00", "Europe/Berlin", "2026-12-01T08:00:00Z"],
  ["2026-07-01 09:00:30", "Europe/Berlin", "2026-07-01T07:00:30Z"],
  ["2026-12-01T09:00Z", "Europe/Berlin", "2026-12-01T09:00:00Z"],
  ["2026-12-01T09:00:00.5+05:30", "Europe/Berlin", "2026-12-01T03:30:00.500Z"],
])("the instant %s in %s is %s", (text, zone, instant) => {
  expect(readInstant(text, zone)).toBe(utc(instant));
});

test.each(["", "tomorrow", "2026-13-01", "2026-12-01T25:00", "2026-12-01T09", "x2026-12-01", "2026-12-01T09:00Zx"])(
  "%j is no instant",
  (text) => {
    expect(() => readInstant(text, "UTC")).toThrow("is not a date and time");
  },
);

test("an unknown time zone is refused, also for an end", () => {
  expect(requireZone("Europe/Berlin")).toBe("Europe/Berlin");
  for (const read of [readInstant, readEnd]) expect(() => read("2026-12-01", "Mars")).toThrow('no time zone "Mars"');
  // An instant with an offset needs no zone.
  expect(readInstant("2026-12-01T09:00Z", "Mars")).toBe(utc("2026-12-01T09:00:00Z"));
});

test("an end without a time is the last instant of its day, also when that day has another length", () => {
  expect(readEnd("2026-12-01", "UTC")).toBe(utc("2026-12-02T00:00:00Z") - 1);
  expect(readEnd("2026-03-29", "Europe/Berlin")).toBe(utc("2026-03-29T22:00:00Z") - 1);
  expect(readEnd("2026-12-01T09:00", "UTC")).toBe(utc("2026-12-01T09:00:00Z"));
});

test.each([
  ["0 9 * * *", "every day at 09:00"],
  ["5 9,17 * * *", "every day at 09:05, 17:05"],
  ["30 18 * * 1-5", "every weekday at 18:30"],
  ["0 7 * * 0", "every Sunday at 07:00"],
  ["0 7 * * 1,6,7", "every Monday, Saturday, Sunday at 07:00"],
  ["0 7 1 * *", "every month on day 1 at 07:00"],
  ["0 7 L * *", "every month on its last day at 07:00"],
  // Other expressions are shown unchanged.
  ["*/5 9 * * *", "cron */5 9 * * *"],
  ["0 */2 * * *", "cron 0 */2 * * *"],
  ["0 7 * 5 *", "cron 0 7 * 5 *"],
  ["0 7 1 * 1", "cron 0 7 1 * 1"],
  ["0 7 L * 1", "cron 0 7 L * 1"],
  ["0 7 1 * 1-5", "cron 0 7 1 * 1-5"],
  ["0 7 */2 * *", "cron 0 7 */2 * *"],
  ["0 7 * * 1-4", "cron 0 7 * * 1-4"],
])("the schedule %s is described as %s", (cron, text) => {
  expect(inWords({ kind: "cron", cron, zone: "UTC" }, "UTC")).toBe(`${text} (UTC)`);
});

test("other schedules are described with their interval, or their instant in the zone", () => {
  expect(inWords({ kind: "every", everyMs: 90 * minute, from: 0 }, "UTC")).toBe("every 1h30m");
  const at = utc("2026-12-01T08:00:59Z");
  expect(inWords({ kind: "once", at }, "Europe/Berlin")).toBe("once, on 2026-12-01 09:00 (Europe/Berlin)");
});
