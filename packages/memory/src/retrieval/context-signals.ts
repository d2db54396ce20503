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
  readonly of: (first: Numbers, candidates: Candidates) => Numbers;
}

/** Number of the first pass's best chunks that represent the answer. */
const BEST_BLENDED = 8;
const BEST_COMPARED = 3;
/** The score of a neighbour that is missing or not a candidate. */
const ABSENT = -1;

export const contextSignals = [
  { name: "first pass", scale: "relative", of: (first) => first },
  { name: "previous", scale: "relative", of: (first, { all }) => shift(first, all, before) },
  { name: "next", scale: "relative", of: (first, { all }) => shift(first, all, after) },
  { name: "second before", scale: "relative", of: (first, { all }) => shift(shift(first, all, before), all, before) },
  { name: "second after", scale: "relative", of: (first, { all }) => shift(shift(first, all, after), all, after) },
  { name: "answers a question", scale: "plain", of: (first, { all }) => answered(first, all, "hasQuestion") },
  { name: "answers what ends as one", scale: "plain", of: (first, { all }) => answered(first, all, "isQuestion") },
  {
    name: "asks well",
    scale: "plain",
    of: (first, { all }) => first.map((score, at) => (all[at]?.reading.hasQuestion === true ? Math.max(0, score) : 0)),
  },
  { name: "file", scale: "relative", of: (first, candidates) => overFiles(first, candidates, 3) },
  { name: "best of file", scale: "relative", of: (first, candidates) => overFiles(first, candidates, 1) },
  { name: "like the best", scale: "relative", of: likeBest },
  { name: "like one of the best", scale: "relative", of: likeOneOfBest },
] as const satisfies readonly ContextSignal[];

export type ContextSignalName = (typeof contextSignals)[number]["name"];

const before = ({ previous }: Candidate): number => previous;
const after = ({ next }: Candidate): number => next;

const shift = (scores: Numbers, all: readonly Candidate[], place: (candidate: Candidate) => number): Numbers =>
  numbersOf(all, (candidate) => scores[place(candidate)] ?? ABSENT);

const answered = (first: Numbers, all: readonly Candidate[], kind: "hasQuestion" | "isQuestion"): Numbers =>
  numbersOf(all, ({ previous }) => (all[previous]?.reading[kind] === true ? Math.max(0, first[previous] ?? 0) : 0));

/** Returns for each chunk the mean of the best `most` scores in its file. */
const overFiles = (first: Numbers, { all, files }: Candidates, most: number): Numbers => {
  const scores = Array.from({ length: files }, (): number[] => []);
  for (const [at, { file }] of all.entries()) scores[file]?.push(first[at] ?? 0);
  const means = scores.map((ofFile) => {
    const best = ofFile.sort((one, other) => other - one).slice(0, most);
    return best.reduce((sum, score) => sum + score, 0) / Math.max(1, best.length);
  });
  return numbersOf(all, ({ file }) => means[file] ?? 0);
};

function likeBest(first: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(first, BEST_BLENDED).filter((at) => all[at]?.compared !== undefined);
  const most = Math.max(...best.map((at) => first[at] ?? 0));
  const middle = blend(
    best.flatMap((at) => all[at]?.compared?.whole ?? []),
    best.map((at) => Math.exp((first[at] ?? 0) - most)),
  );
  return numbersOf(all, ({ compared }) =>
    compared === undefined || best.length === 0 ? Number.NaN : dot(compared.whole, middle),
  );
}

/** Returns for each chunk the highest cosine with another chunk that is among the best. */
function likeOneOfBest(first: Numbers, { all }: Candidates): Numbers {
  const best = bestOf(first, BEST_COMPARED).map((place) => ({ place, whole: all[place]?.compared?.whole }));
  return standardize(
    numbersOf(all, ({ compared }, at) => {
      let most = Number.NaN;
      for (const { place, whole } of best) {
        if (place === at || whole === undefined || compared === undefined) continue;
        const like = dot(compared.whole, whole);
        if (!(like <= most)) most = like;
      }
      return most;
    }),
  );
}
