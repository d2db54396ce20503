/** Fails each store call of the schedule once: no job is lost, and none fires twice. */
import { expect, test } from "bun:test";
import { openScheduledHouse } from "../../fixtures/scheduled-house.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 1, 12);
const JOB = (name: string): string => `[jobs.${name}]\nevery = "1m"\nprompt = "${name}"\n`;

/**
 * Plays two jobs that fire and end, one of an agent that is removed. `fails`: number of the call
 * that fails.
 */
const play = async (fails: number) => {
  const house = await openScheduledHouse(NOON);
  let calls = 0;
  await house.save(JOB("water"));
  await using daemon = await house.start();
  house.failing = () => {
    calls += 1;
    return calls === fails;
  };
  await house.pass(MINUTE);
  await house.end("replied");
  await house.save(JOB("water") + JOB("feed"));
  await house.pass(2 * MINUTE);
  await house.end("replied");
  await house.pass(MINUTE);
  const asked = await house.asked();
  // After the failed call the schedule works normally.
  await house.end("replied");
  await house.pass(2 * MINUTE);
  const fired = (await house.store.select({ table: "job_slots" })).length;
  return { calls, asked, grew: (await house.asked()).length - asked.length, fired, lines: daemon.lines };
};

test("a schedule continues after any one store call has failed", async () => {
  const well = await play(0);
  expect({ grew: well.grew > 0, lines: well.lines }).toEqual({ grew: true, lines: [] });
  const wrong: unknown[] = [];
  for (let fails = 1; fails <= well.calls; fails += 1) {
    const { grew, asked, lines, fired } = await play(fails);
    if (grew === 0 || !asked.includes("water") || lines.length === 0) wrong.push({ fails, grew, asked, fired, lines });
  }
  expect(wrong).toEqual([]);
});
