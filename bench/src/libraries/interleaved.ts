/** Figures of programs that ran in turn, so that other work on the machine affects all of them. */
import type { Figure } from "../bench.ts";
import { median, percentile, range } from "../statistics.ts";
import { show } from "../table.ts";

/** Milliseconds of each round, by program. In each round, all programs ran one after the other. */
export type Rounds = Readonly<Record<string, readonly number[]>>;

const OURS = "ours";

/** Returns for each library its time relative to ours: the median and the spread of the rounds. */
export const toRatios = (what: string, rounds: Rounds): readonly Figure[] =>
  Object.entries(rounds)
    .filter(([name]) => name !== OURS)
    .map(([name, times]) => {
      const ratios = times.map((time, round) => time / (rounds[OURS]?.[round] ?? Number.NaN));
      const [least, most] = range(ratios);
      return {
        what: `${what}: ${name}, time relative to ours`,
        value: median(ratios),
        unit: "×",
        samples: ratios.length,
        note: `${show(percentile(ratios, 10))} to ${show(percentile(ratios, 90))} in 80 % of the rounds, ${show(least)} to ${show(most)} in all`,
      };
    });
