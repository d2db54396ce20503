/** A run that failed, with as little in it as still fails. */
import { type Run, simulate } from "./simulation.ts";

/** Runs that are spent on it. */
const TRIES = 60;

/** Leaves out one operation after the other, as long as something goes wrong all the same. */
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
