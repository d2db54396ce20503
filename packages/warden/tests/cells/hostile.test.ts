/**
 * A compromised inmate cannot change the journal, the policy, the rooms or other agents beyond its
 * rights.
 */
import { expect, test } from "bun:test";
import { type HostileRun, runHostileHouse } from "../fixtures/hostile-house.ts";

const SEEDS = 100;

test("no seed of a hostile inmate gains a right that was not granted", async () => {
  const reached = new Map<string, number>();
  const complaints: string[] = [];
  for (let seed = 0; seed < SEEDS && complaints.length === 0; seed += 1) {
    const run: HostileRun = await runHostileHouse(seed);
    complaints.push(...run.complaints.map((complaint) => `seed ${seed}: ${complaint}`));
    for (const [what, count] of run.reached) reached.set(what, (reached.get(what) ?? 0) + count);
  }
  expect(complaints).toEqual([]);
  // The absence of violations means little unless these states were reached.
  for (const what of [
    "a model is done",
    "a tool is started",
    "a tool is done",
    "a intake is done",
    "a tool was allowed to run",
    "an activation is replied",
    "an activation is failed",
    "an activation is stopped",
  ])
    expect([what, (reached.get(what) ?? 0) >= SEEDS / 10]).toEqual([what, true]);
}, 120_000);
