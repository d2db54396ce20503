/**
 * Signals that depend on the scores of other chunks after a first pass: of the neighbours, of the
 * file, and of the best chunks.
 */
import type { Candidate, Candidates } from "./candidates.ts";
import { bestOf, blend, dot, type Numbers, numbersOf, standardize } from "./scale.ts";

export interface ContextSignal<Name extends string = string> {
  readonly name: Name;
  readonly scale: "relative" | "plain";
  /** `firstScores` holds the scores of the first pass in standard deviations. */
  readonly compute: (firstScores: Numbers, candidates: Candidates) => Numbers;
}

/** Number of the first pass's best chunks that represent the answer. */
const BLENDED_CHUNK_COUNT = 8;
const COMPARED_CHUNK_COUNT = 3;
/** The score of a neighbour that is missing or not a candidate. */
const ABSENT_SCORE = -1;

export const contextSignals = [
  { name: "first pass", scale: "relative", compute: (firstScores) => firstScores },
  { name: "previous", scale: "relative", compute: (firstScores, { all }) => scoresAt(firstScores, all, previousOf) },
  { name: "next", scale: "relative", compute: (firstScores, { all }) => scoresAt(firstScores, all, nextOf) },
  {
    name: "second before",
    scale: "relative",
    compute: (firstScores, { all }) => scoresAt(scoresAt(firstScores, all, previousOf), all, previousOf),
  },
  {
    name: "second after",
    scale: "relative",
    compute: (firstScores, { all }) => scoresAt(scoresAt(firstScores, all, nextOf), all, nextOf),
  },
  {
    name: "answers a question",
    scale: "plain",
    compute: (firstScores, { all }) => questionScores(firstScores, all, "hasQuestion"),
  },
  {
    name: "answers what ends as one",
    scale: "plain",
    compute: (firstScores, { all }) => questionScores(firstScores, all, "isQuestion"),
  },
  {
    name: "asks well",
    scale: "plain",
    compute: (firstScores, { all }) =>
      firstScores.map((score, index) => (all[index]?.features.hasQuestion === true ? Math.max(0, score) : 0)),
  },
  { name: "file", scale: "relative", compute: (firstScores, candidates) => fileMeans(firstScores, candidates, 3) },
  {
    name: "best of file",
    scale: "relative",
    compute: (firstScores, candidates) => fileMeans(firstScores, candidates, 1),
  },
  { name: "like the best", scale: "relative", compute: similarityToBest },
  { name: "like one of the best", scale: "relative", compute: maxSimilarityToBest },
] as const satisfies readonly ContextSignal[];

export type ContextSignalName = (typeof contextSignals)[number]["name"];

const previousOf = ({ previous }: Candidate): number => previous;
const nextOf = ({ next }: Candidate): number => next;

const scoresAt = (scores: Numbers, all: readonly Candidate[], positionOf: (candidate: Candidate) => number): Numbers =>
  numbersOf(all, (candidate) => scores[positionOf(candidate)] ?? ABSENT_SCORE);

const questionScores = (firstScores: Numbers, all: readonly Candidate[], kind: "hasQuestion" | "isQuestion"): Numbers =>
  numbersOf(all, ({ previous }) =>
    all[previous]?.features[kind] === true ? Math.max(0, firstScores[previous] ?? 0) : 0,
  );

/** Returns for each chunk the mean of the best `limit` scores in its file. */
const fileMeans = (firstScores: Numbers, { all, files }: Candidates, limit: number): Numbers => {
  const scores = Array.from({ length: files }, (): number[] => []);
  for (const [index, { file }] of all.entries()) scores[file]?.push(firstScores[index] ?? 0);
  const means = scores.map((fileScores) => {
    const best = fileScores.sort((a, b) => b - a).slice(0, limit);
    return best.reduce((sum, score) => sum + score, 0) / Math.max(1, best.length);
  });
  return numbersOf(all, ({ file }) => means[file] ?? 0);
};

function similarityToBest(firstScores: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(firstScores, BLENDED_CHUNK_COUNT).filter((index) => all[index]?.comparison !== undefined);
  const highest = Math.max(...best.map((index) => firstScores[index] ?? 0));
  const mean = blend(
    best.flatMap((index) => all[index]?.comparison?.whole ?? []),
    best.map((index) => Math.exp((firstScores[index] ?? 0) - highest)),
  );
  return numbersOf(all, ({ comparison }) =>
    comparison === undefined || best.length === 0 ? Number.NaN : dot(comparison.whole, mean),
  );
}

/** Returns for each chunk the highest cosine with another chunk that is among the best. */
function maxSimilarityToBest(firstScores: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(firstScores, COMPARED_CHUNK_COUNT).map((bestIndex) => ({
    bestIndex,
    whole: all[bestIndex]?.comparison?.whole,
  }));
  return standardize(
    numbersOf(all, ({ comparison }, index) => {
      let highest = Number.NaN;
      for (const { bestIndex, whole } of best) {
        if (bestIndex === index || whole === undefined || comparison === undefined) continue;
        const similarity = dot(comparison.whole, whole);
        if (!(similarity <= highest)) highest = similarity;
      }
      return highest;
    }),
  );
}
