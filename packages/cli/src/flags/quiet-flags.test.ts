import { expect, test } from "bun:test";
import { describeQuietHours, type QuietFlags, toQuietHours } from "./quiet-flags.ts";

const BEFORE = { from: "22:00", to: "07:00", timezone: "Europe/Berlin", days: [1] };
const change = (given: Partial<QuietFlags>, before: typeof BEFORE | undefined = BEFORE) =>
  toQuietHours({ quiet: undefined, days: undefined, timezone: undefined, ...given }, before, "UTC");

test.each([
  ["mon-fri", [1, 2, 3, 4, 5]],
  ["mon-fri,sun", [1, 2, 3, 4, 5, 7]],
  ["sat-mon", [1, 6, 7]],
  ["Tue", [2]],
  ["sun,sun,mon", [1, 7]],
  ["all", undefined],
  ["mon-sun", undefined],
])("the days %s are %p", (days, numbers) => {
  expect(change({ days })?.days).toEqual(numbers);
});

test("each flag changes its own part, and `off` ends the quiet hours", () => {
  expect(change({})).toEqual(BEFORE);
  expect(change({ quiet: "23:30-06:00" })).toEqual({ ...BEFORE, from: "23:30", to: "06:00" });
  expect(change({ timezone: "Asia/Tokyo" })).toEqual({ ...BEFORE, timezone: "Asia/Tokyo" });
  expect(toQuietHours({ quiet: "23:00-06:00", days: undefined, timezone: undefined }, undefined, "UTC")).toEqual({
    from: "23:00",
    to: "06:00",
    timezone: "UTC",
  });
  expect(change({ quiet: "off" })).toBeNull();
  expect(describeQuietHours(BEFORE)).toBe("22:00 to 07:00, Europe/Berlin, mon");
  expect(describeQuietHours({ ...BEFORE, days: undefined as never })).toBe("22:00 to 07:00, Europe/Berlin");
});

test.each([
  [{ quiet: "22:00-22:00" }, "no time from one clock time to another"],
  [{ quiet: "24:00-07:00" }, "no time from one clock time to another"],
  [{ quiet: "off", days: "mon" }, "takes neither --days nor --timezone"],
  [{ quiet: "off", timezone: "UTC" }, "takes neither --days nor --timezone"],
  [{ days: "mo" }, '"mo" is no day'],
  [{ days: "mon-tue-wed" }, '"mon-tue-wed" is no day'],
  [{ timezone: "Nowhere" }, "is no IANA time zone"],
])("%j is refused: %s", (given, why) => {
  expect(() => change(given)).toThrow(why);
});

test("days and a zone without quiet hours are refused", () => {
  expect(() => toQuietHours({ quiet: undefined, days: "mon", timezone: undefined }, undefined, "UTC")).toThrow(
    "There are no quiet hours to change",
  );
});
