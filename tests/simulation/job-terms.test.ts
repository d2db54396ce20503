/** Tests of the reader and the slot computation of the simulation. */
import { expect, test } from "bun:test";
import { nextSlot, readJobsFile, slotsBetween, tableOf, withTable } from "./job-terms.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

const FILE = `[jobs.tea]
prompt = "m501 do=pure"
cron = "* * * * *"
until = "2026-01-01T12:03:00.000Z"

[jobs.news]
prompt = "m502"
every = "20s"
from = "2026-01-01T12:00:00.000Z"
catch_up = "skip"
paused = true

[jobs.lost]
prompt = "m503"
every = "now and then"
`;

test("`readJobsFile` returns the valid jobs and omits invalid ones", () => {
  const jobs = readJobsFile(FILE);
  expect([...jobs.keys()]).toEqual(["tea", "news"]);
  expect(jobs.get("tea")).toMatchObject({ catchUp: "once", until: NOON + 3 * MINUTE, isPaused: false });
  expect(jobs.get("news")).toMatchObject({ catchUp: "skip", isPaused: true });
});

test("`slotsBetween` returns every slot of cron, interval and single times", () => {
  const until = Infinity;
  const between = (times: Parameters<typeof nextSlot>[0]["times"], end = until): readonly number[] =>
    slotsBetween({ times, until: end }, NOON, NOON + 4 * MINUTE).map((slot) => (slot - NOON) / 1000);
  expect(between({ kind: "cron", cron: "* * * * *" })).toEqual([0, 60, 120, 180, 240]);
  expect(between({ kind: "cron", cron: "* * * * *" }, NOON + MINUTE)).toEqual([0, 60]);
  expect(between({ kind: "cron", cron: "*/2 * * * *" })).toEqual([0, 120, 240]);
  expect(between({ kind: "cron", cron: "3 12 * * *" })).toEqual([180]);
  // The start of an interval is not a slot.
  expect(between({ kind: "every", everyMs: 90_000, from: NOON })).toEqual([90, 180]);
  expect(between({ kind: "once", at: NOON + MINUTE })).toEqual([60]);
  expect(nextSlot({ times: { kind: "once", at: NOON }, until }, NOON)).toBeUndefined();
});

test("`withTable` leaves other jobs unchanged", () => {
  const without = withTable(FILE, "tea", undefined);
  expect(readJobsFile(without).has("tea")).toBe(false);
  const again = withTable(without, "tea", tableOf(FILE, "tea"));
  expect(readJobsFile(again).get("tea")).toEqual(readJobsFile(FILE).get("tea"));
  expect(readJobsFile(again).get("news")).toEqual(readJobsFile(FILE).get("news"));
});
