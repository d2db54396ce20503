/**
 * Checks the days around every clock change, minute by minute; with HEARTH_WHOLE two whole years,
 * which takes minutes: `npm run test:long`.
 */
import { expect, test } from "bun:test";
import { changesIn, EXPRESSIONS, slotsByLocalTime, SPAN_MS, localTimesOf, YEARS } from "@hearth/testing/schedule";
import { createSlotsOf } from "./slots.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const isWhole = process.env["HEARTH_WHOLE"] !== undefined;

for (const [zone, start] of YEARS)
  test(`R10: in ${zone} every slot matches the local time, from any starting point`, () => {
    const slotsOf = createSlotsOf();
    const changes = changesIn(zone, start);
    // A year without a change is checked at the turn of the year.
    const days = changes.length === 0 ? [[start + 363 * DAY_MS, start + 367 * DAY_MS] as const] : changes;
    for (const [from, to] of isWhole ? [[start, start + SPAN_MS] as const] : days) {
      const walls = localTimesOf(zone, from, to);
      for (const expression of EXPRESSIONS) {
        const slots = slotsOf({ kind: "cron", cron: expression, zone });
        // Slots beyond the generated days are not checked.
        const expected = slotsByLocalTime(walls, expression).filter((slot) => slot < to - DAY_MS);
        let place = 0;
        let after = from + DAY_MS / 2 - 1;
        while (after < (expected.at(-1) ?? 0)) {
          while ((expected[place] ?? Infinity) <= after) place += 1;
          const found = slots.next(after);
          if (found !== expected[place])
            expect([expression, after, found]).toEqual([expression, after, expected[place]]);
          // Over two years every slot follows from the previous one; around a change any minute is
          // a starting point.
          after = isWhole ? (found ?? Infinity) : after + 7 * MINUTE_MS;
        }
      }
    }
    expect(changes.length).toBeGreaterThanOrEqual(zone === "Asia/Kolkata" ? 0 : 4);
  }, 600_000);
