/** Learns the weights of both passes from examined questions. */
import {
  type SignalValues,
  type Examination,
  fuse,
  withContextSignals,
  type Passes,
  rank,
  baselineScores,
} from "@hearth/memory";
import { type Example, fitWeights } from "./retrieval-fit.ts";

export interface TrainingQuestion {
  readonly examined: Examination;
  readonly gold: readonly string[];
}

/**
 * The ridge penalty. Cross-validation over conversations found it, so that no single conversation
 * dominates.
 */
const RIDGE = 5;
/** Number of wrong chunks per question that are used for learning. They are the most likely ones. */
const WRONG = 100;

export const learn = (examples: readonly TrainingQuestion[]): Passes => {
  const first = fit(
    examples.map(({ examined, gold }) => ({
      examined,
      gold,
      evidence: examined.ownSignals,
      likely: baselineScores(examined),
    })),
  );
  const second = fit(
    examples.map(({ examined, gold }) => {
      const likely = fuse(examined.ownSignals, first, examined.candidates.all.length);
      return { examined, gold, evidence: withContextSignals(examined, likely), likely };
    }),
  );
  return { first, second };
};

interface Sample extends TrainingQuestion {
  readonly evidence: SignalValues;
  readonly likely: Float64Array;
}

const fit = (samples: readonly Sample[]): Readonly<Record<string, number>> => {
  const names = [...(samples[0]?.evidence.keys() ?? [])];
  const examples = samples.flatMap((sample) => toExample(sample, names) ?? []);
  const weights = fitWeights(examples, names.length, RIDGE);
  return Object.fromEntries(names.map((name, at) => [name, Math.round((weights[at] ?? 0) * 1e4) / 1e4]));
};

const toExample = ({ examined, gold, evidence, likely }: Sample, names: readonly string[]): Example | undefined => {
  const wanted = new Set(gold);
  const { all } = examined.candidates;
  const isRight = (at: number): boolean => wanted.has(all[at]?.chunk.id ?? "");
  const order = rank(likely);
  const right = order.filter(isRight);
  if (right.length === 0) return undefined;
  const kept = [...right, ...order.filter((at) => !isRight(at)).slice(0, WRONG)];
  const columns = names.map((name) => evidence.get(name) ?? new Float64Array());
  return {
    rows: Float64Array.from(kept.flatMap((at) => columns.map((column) => column[at] ?? 0))),
    right: right.map((_, at) => at),
    weight: Math.sqrt(right.length),
  };
};
