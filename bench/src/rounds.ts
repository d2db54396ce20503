/**
 * Compares a process's memory over equal rounds of the same load. Garbage collection moves it by
 * tens of MiB, so a round is the average of many samples, and several rounds are compared with
 * several.
 */
import type { Finding } from "./bench.ts";
import { pause, sharedNow } from "./clock.ts";
import { show } from "./table.ts";

/** Memory over one round, in MiB. */
export interface Round {
  readonly average: number;
  readonly highest: number;
  readonly samples: number;
}

const SAMPLE_MS = 250;

/** Samples the memory until the round is over, at least once. */
export const watchRound = async (look: () => Promise<number>, durationMs: number): Promise<Round> => {
  const endMs = sharedNow() + durationMs;
  const sizes = [await look()];
  while (sharedNow() < endMs) {
    await pause(SAMPLE_MS);
    sizes.push(await look());
  }
  return { average: averageOf(sizes), highest: Math.max(...sizes), samples: sizes.length };
};

/** Compares the later half of all rounds with the earlier half. */
export const toFlatness = (
  rounds: readonly Round[],
  measured: { readonly roundMs: number; readonly before: number; readonly targetMiB: number },
): readonly Finding[] => {
  const { roundMs, before, targetMiB } = measured;
  const half = rounds.length / 2;
  if (half === 0 || !Number.isInteger(half)) throw new RangeError("The number of rounds must be even and above 0.");
  const averages = rounds.map(({ average }) => average);
  const samples = rounds.reduce((sum, round) => sum + round.samples, 0);
  return [
    {
      what: `memory growth, last ${half} rounds over the first`,
      value: averageOf(averages.slice(half)) - averageOf(averages.slice(0, half)),
      unit: "MiB",
      target: { atMost: targetMiB },
      samples,
      note: `anonymous memory of the daemon; average of each ${roundMs / 1000} s: ${averages.map(show).join(", ")}`,
    },
    {
      what: "memory under load, maximum",
      value: Math.max(...rounds.map(({ highest }) => highest)),
      unit: "MiB",
      samples,
      note: `${show(before)} with all connected and no messages`,
    },
  ];
};

const averageOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
