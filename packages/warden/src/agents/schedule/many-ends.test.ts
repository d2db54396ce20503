/** People change a job while many of its slots end. Each end writes the job's row. */
import { expect, test } from "bun:test";
import type { PatchJob } from "@hearth/protocol";
import { openScheduledHouse } from "../../fixtures/scheduled-house.ts";
import { MAX_CAUGHT_UP } from "./time/catch-up.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A house whose job has just fired as often as allowed, with all of its slots about to end. */
const openWithManyEnds = async () => {
  const house = await openScheduledHouse(Date.UTC(2026, 0, 1, 12));
  const { bot, owner } = house;
  {
    await using daemon = await house.start();
    const times = { every: "24h", catchUp: "all" } as const;
    await daemon.schedule.add(bot, { name: "tea", prompt: "Tea?", ...times }, owner.id);
  }
  await house.pass(60 * DAY_MS);
  const daemon = await house.start();
  const inFlight = async () =>
    (await house.store.select({ table: "job_slots", where: { agent: bot.id, job: "tea", ended_at: null } })).length;
  expect(await inFlight()).toBe(MAX_CAUGHT_UP);
  // The daemon ends slots whose messages woke no agent in time.
  await house.pass(0);
  await house.pass(0);
  house.stall(DAY_MS);
  return { house, daemon, inFlight };
};

test.each<[string, PatchJob]>([
  ["an edit of its times", { cron: "30 9 * * *" }],
  ["an edit of its rule", { catchUp: "skip" }],
  ["a pause", { paused: true }],
  ["an edit of its prompt", { prompt: "Coffee?" }],
])("%s succeeds while every caught-up slot ends", async (_, patch) => {
  const { house, daemon, inFlight } = await openWithManyEnds();
  await using _daemon = daemon;
  await daemon.schedule.edit(house.bot, "tea", patch, house.owner.id);
  await house.settle();
  expect(await inFlight()).toBe(0);
});

test("firing by hand succeeds while every caught-up slot ends", async () => {
  const { house, daemon } = await openWithManyEnds();
  await using _daemon = daemon;
  expect(await daemon.schedule.fire(house.bot, "tea")).toMatchObject({ fate: "fired", byHand: true });
});
