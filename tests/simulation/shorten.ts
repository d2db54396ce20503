/** Shortens a failed run to as few operations as still fail. */
import { type Run, simulate } from "./simulation.ts";

/** Maximum number of runs. */
const TRIES = 60;

/** Removes operations one by one, and keeps each removal with which the run still fails. */
export const shorten = async (run: Run): Promise<Run> => {
  let shortest = run;
  let left = run.operations.map((_, index) => index);
  let tries = 0;
  for (const index of left.toReversed()) {
    const without = left.filter((other) => other !== index);
    tries += 1;
    if (tries > TRIES) break;
    const shorter = await simulate(run.seed, new Map(), (other) => without.includes(other), run.families);
    if (shorter.complaints.length === 0) continue;
    left = without;
    shortest = { ...shorter, operations: run.operations.filter((_, other) => without.includes(other)) };
  }
  return shortest;
};
