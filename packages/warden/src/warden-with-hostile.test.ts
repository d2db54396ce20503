/** An agent's inmate was taken over. Whatever it says: the journal, the policy, the rooms and the other agents are as they have to be. */
import { expect, test } from "bun:test";
import { type HostileRun, runHostileHouse } from "./fixtures/hostile-house.ts";

const SEEDS = 100;

test("no seed of a hostile inmate gets anything that nobody gave it", async () => {
  const reached = new Map<string, number>();
  const complaints: string[] = [];
  for (let seed = 0; seed < SEEDS && complaints.length === 0; seed += 1) {
    const run: HostileRun = await runHostileHouse(seed);
    complaints.push(...run.complaints.map((complaint) => `seed ${seed}: ${complaint}`));
    for (const [what, count] of run.reached) reached.set(what, (reached.get(what) ?? 0) + count);
  }
  expect(complaints).toEqual([]);
  // That nothing was wrong says little where nothing was reached.
  for (const what of [
    "a model is done",
    "a tool is started",
    "a tool is done",
    "a intake is done",
    "it was told to run",
    "an activation is replied",
    "an activation is failed",
    "an activation is stopped",
  ])
    expect([what, (reached.get(what) ?? 0) >= SEEDS / 10]).toEqual([what, true]);
}, 120_000);
