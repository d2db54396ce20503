/**
 * The memory of a process over equal rounds of the same load. It swings by tens of MiB as garbage comes and is collected, and where
 * the collector stands says nothing: so what a round weighs is the average of many looks, and several rounds are weighed against several.
 */
import type { Finding } from "./bench.ts";
import { pause, sharedNow } from "./clock.ts";
import { show } from "./table.ts";

/** In MiB, over one round. */
export interface Round {
  readonly average: number;
  readonly highest: number;
  readonly samples: number;
}

const LOOK_MS = 250;

/** Looks from now on until the round is over, and once at least. */
export const watchRound = async (look: () => Promise<number>, durationMs: number): Promise<Round> => {
  const endMs = sharedNow() + durationMs;
  const sizes = [await look()];
  while (sharedNow() < endMs) {
    await pause(LOOK_MS);
    sizes.push(await look());
  }
  return { average: averageOf(sizes), highest: Math.max(...sizes), samples: sizes.length };
};

/** Memory is flat when the later half of all rounds weighs about as much as the earlier one. */
export const toFlatness = (
  rounds: readonly Round[],
  measured: { readonly roundMs: number; readonly before: number; readonly targetMiB: number },
): readonly Finding[] => {
  const { roundMs, before, targetMiB } = measured;
  const half = rounds.length / 2;
  if (half === 0 || !Number.isInteger(half)) throw new RangeError("Halves need an even number of rounds.");
  const averages = rounds.map(({ average }) => average);
  const samples = rounds.reduce((sum, round) => sum + round.samples, 0);
  return [
    {
      what: `memory, the last ${half} rounds over the first`,
      value: averageOf(averages.slice(half)) - averageOf(averages.slice(0, half)),
      unit: "MiB",
      target: { atMost: targetMiB },
      samples,
      note: `the daemon's own; on average in each ${roundMs / 1000} s: ${averages.map(show).join(", ")}`,
    },
    {
      what: "memory under load, most",
      value: Math.max(...rounds.map(({ highest }) => highest)),
      unit: "MiB",
      samples,
      note: `${show(before)} with all connected and nothing said`,
    },
  ];
};

const averageOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
