/**
 * Signals that depend on the scores of other chunks after a first pass: of the neighbours, of the
 * file, and of the best chunks.
 */
import type { Candidate, Candidates } from "./candidates.ts";
import { bestOf, blend, dot, type Numbers, numbersOf, standardize } from "./scale.ts";

export interface ContextSignal<Name extends string = string> {
  readonly name: Name;
  readonly scale: "relative" | "plain";
  /** `first` is the first pass's score in standard deviations. */
  readonly compute: (first: Numbers, candidates: Candidates) => Numbers;
}

/** Number of the first pass's best chunks that represent the answer. */
const BEST_BLENDED = 8;
const BEST_COMPARED = 3;
/** The score of a neighbour that is missing or not a candidate. */
const ABSENT_SCORE = -1;

export const contextSignals = [
  { name: "first pass", scale: "relative", compute: (first) => first },
  { name: "previous", scale: "relative", compute: (first, { all }) => scoresAt(first, all, previousOf) },
  { name: "next", scale: "relative", compute: (first, { all }) => scoresAt(first, all, nextOf) },
  {
    name: "second before",
    scale: "relative",
    compute: (first, { all }) => scoresAt(scoresAt(first, all, previousOf), all, previousOf),
  },
  {
    name: "second after",
    scale: "relative",
    compute: (first, { all }) => scoresAt(scoresAt(first, all, nextOf), all, nextOf),
  },
  {
    name: "answers a question",
    scale: "plain",
    compute: (first, { all }) => questionScores(first, all, "hasQuestion"),
  },
  {
    name: "answers what ends as one",
    scale: "plain",
    compute: (first, { all }) => questionScores(first, all, "isQuestion"),
  },
  {
    name: "asks well",
    scale: "plain",
    compute: (first, { all }) =>
      first.map((score, at) => (all[at]?.features.hasQuestion === true ? Math.max(0, score) : 0)),
  },
  { name: "file", scale: "relative", compute: (first, candidates) => fileMeans(first, candidates, 3) },
  { name: "best of file", scale: "relative", compute: (first, candidates) => fileMeans(first, candidates, 1) },
  { name: "like the best", scale: "relative", compute: similarityToBest },
  { name: "like one of the best", scale: "relative", compute: maxSimilarityToBest },
] as const satisfies readonly ContextSignal[];

export type ContextSignalName = (typeof contextSignals)[number]["name"];

const previousOf = ({ previous }: Candidate): number => previous;
const nextOf = ({ next }: Candidate): number => next;

const scoresAt = (scores: Numbers, all: readonly Candidate[], positionOf: (candidate: Candidate) => number): Numbers =>
  numbersOf(all, (candidate) => scores[positionOf(candidate)] ?? ABSENT_SCORE);

const questionScores = (first: Numbers, all: readonly Candidate[], kind: "hasQuestion" | "isQuestion"): Numbers =>
  numbersOf(all, ({ previous }) => (all[previous]?.features[kind] === true ? Math.max(0, first[previous] ?? 0) : 0));

/** Returns for each chunk the mean of the best `most` scores in its file. */
const fileMeans = (first: Numbers, { all, files }: Candidates, limit: number): Numbers => {
  const scores = Array.from({ length: files }, (): number[] => []);
  for (const [at, { file }] of all.entries()) scores[file]?.push(first[at] ?? 0);
  const means = scores.map((ofFile) => {
    const best = ofFile.sort((one, other) => other - one).slice(0, limit);
    return best.reduce((sum, score) => sum + score, 0) / Math.max(1, best.length);
  });
  return numbersOf(all, ({ file }) => means[file] ?? 0);
};

function similarityToBest(first: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(first, BEST_BLENDED).filter((at) => all[at]?.comparison !== undefined);
  const highest = Math.max(...best.map((at) => first[at] ?? 0));
  const mean = blend(
    best.flatMap((at) => all[at]?.comparison?.whole ?? []),
    best.map((at) => Math.exp((first[at] ?? 0) - highest)),
  );
  return numbersOf(all, ({ comparison }) =>
    comparison === undefined || best.length === 0 ? Number.NaN : dot(comparison.whole, mean),
  );
}

/** Returns for each chunk the highest cosine with another chunk that is among the best. */
function maxSimilarityToBest(first: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(first, BEST_COMPARED).map((place) => ({ place, whole: all[place]?.comparison?.whole }));
  return standardize(
    numbersOf(all, ({ comparison }, at) => {
      let highest = Number.NaN;
      for (const { place, whole } of best) {
        if (place === at || whole === undefined || comparison === undefined) continue;
        const similarity = dot(comparison.whole, whole);
        if (!(similarity <= highest)) highest = similarity;
      }
      return highest;
    }),
  );
}
