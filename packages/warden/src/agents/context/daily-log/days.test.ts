import { expect, test } from "bun:test";
import { dayBefore } from "./days.ts";

test("the day before is right across a month, a year and a day of 23 hours", () => {
  expect(["2026-03-01", "2028-03-01", "2026-01-01", "2026-03-29", "2026-03-30"].map(dayBefore)).toEqual([
    ...["2026-02-28", "2028-02-29", "2025-12-31", "2026-03-28", "2026-03-29"],
  ]);
});
