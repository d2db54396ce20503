import { expect, test } from "bun:test";
import type { CatchUp } from "@hearth/protocol";
import fc from "fast-check";
import { decideSlots, GRACE_MS, type BlockReason, MAX_CAUGHT_UP } from "./catch-up.ts";
import { createSlotsOf, findDueSlots } from "./slots.ts";

const MINUTE_MS = 60_000;
const FIRST = Date.UTC(2026, 0, 1);
const slots = createSlotsOf()({ kind: "every", everyMs: MINUTE_MS, from: FIRST - MINUTE_MS });

const fates = (count: number, lateMs: number, rule: CatchUp, held?: BlockReason) => {
  const now = FIRST + (count - 1) * MINUTE_MS + lateMs;
  const due = findDueSlots(slots, FIRST, now, MAX_CAUGHT_UP + 1);
  if (due === undefined) throw new Error("nothing is due");
  return decideSlots(due, rule, now, held).map(({ fate, count: many }) => `${fate} ${many}`);
};

test("one slot on time fires under any rule", () => {
  for (const rule of ["once", "all", "skip"] as const) expect(fates(1, 500, rule)).toEqual(["fired 1"]);
});

test("after a month the last slot fires and the others are merged into it", () => {
  expect(fates(43_200, 10_000, "once")).toEqual(["merged 43199", "fired 1"]);
});

test("all of them fire under the rule `all`, and those beyond the limit are missed", () => {
  expect(fates(3, 0, "all")).toEqual(["fired 1", "fired 1", "fired 1"]);
  expect(fates(MAX_CAUGHT_UP + 5, 0, "all")).toEqual(["missed 5", ...Array(MAX_CAUGHT_UP).fill("fired 1")]);
});

test("late slots are missed without catch-up, and those on time still fire", () => {
  expect(fates(5, 59_999, "skip")).toEqual(["missed 4", "fired 1"]);
  const due = { first: FIRST, last: FIRST, count: 1, latest: [FIRST] };
  expect(decideSlots(due, "skip", FIRST + GRACE_MS + 1)).toMatchObject([{ fate: "missed", count: 1 }]);
});

test("a held job skips all slots, with the reason", () => {
  expect(fates(3, 0, "once", "running")).toEqual(["skipped 3"]);
  expect(fates(3, 0, "all", "backing-off")).toEqual(["skipped 3"]);
});

test("for any due slots, every slot has one fate, in order", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: MINUTE_MS - 1 }),
      fc.constantFrom<CatchUp>("once", "all", "skip"),
      fc.constantFrom<BlockReason | undefined>(undefined, "running", "backing-off"),
      (count, late, rule, held) => {
        const now = FIRST + (count - 1) * MINUTE_MS + late;
        const due = findDueSlots(slots, FIRST, now, MAX_CAUGHT_UP + 1);
        if (due === undefined) throw new Error("nothing is due");
        let next = FIRST;
        for (const fated of decideSlots(due, rule, now, held)) {
          expect(fated.slot).toBe(next);
          expect(fated.through - fated.slot).toBe((fated.count - 1) * MINUTE_MS);
          next = fated.through + MINUTE_MS;
        }
        expect(next).toBe(due.last + MINUTE_MS);
      },
    ),
  );
});
