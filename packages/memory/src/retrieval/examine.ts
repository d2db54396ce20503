/** Computes all signals of a question's candidates, scaled for weighting. */
import type { Day } from "../chunks/days.ts";
import { createCachedStemmer } from "../chunks/terms.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, VisibilityFilter } from "../index/chunk-index.ts";
import { type Candidates, findCandidates, type CandidateLimits } from "./candidates.ts";
import { contextSignals } from "./context-signals.ts";
import { analyzeQuestion } from "./question.ts";
import { type Numbers, standardize } from "./scale.ts";
import { ownSignals } from "./signals.ts";

/** One number per candidate, by the name of the signal. */
export type SignalValues = ReadonlyMap<string, Numbers>;

export interface Examination {
  readonly candidates: Candidates;
  /** "lexical" if nothing was compared by vectors. */
  readonly mode: "hybrid" | "lexical";
  readonly ownSignals: SignalValues;
}

export interface ExamineOptions {
  readonly query: string;
  readonly visible: VisibilityFilter;
  /** The day to which words such as "yesterday" refer. Without it, they are ignored. */
  readonly today?: Day;
  readonly signal?: AbortSignal;
}

export interface ExaminerOptions {
  readonly index: ChunkIndex;
  readonly embedder?: Embedder;
}

/**
 * Limits of the candidates, which are about 170 chunks in practice. Doubling them gains nothing
 * within a conversation, and 0.005 over five.
 */
const LIMITS: CandidateLimits = { lexical: 80, nearest: 80, neighbours: 40 };

export const createExaminer = ({ index, embedder }: ExaminerOptions) => {
  const stem = createCachedStemmer();
  return {
    async examine({ query, visible, today, signal }: ExamineOptions): Promise<Examination> {
      const question = analyzeQuestion(query, index.speakers(visible), today);
      const texts = question.topic === "" || question.topic === query ? [query] : [query, question.topic];
      const vectors = (await embedder?.embed(texts, signal)) ?? [];
      const candidates = findCandidates({ index, stem, question, vectors, visible, limits: LIMITS });
      return {
        candidates,
        mode: candidates.all.some(({ comparison }) => comparison !== undefined) ? "hybrid" : "lexical",
        ownSignals: new Map(
          ownSignals.map(({ name, scale, compute }) => [name, scaleValues(scale, compute(question, candidates))]),
        ),
      };
    },
  };
};

/** Returns all signals after a first pass: the chunk's own and those of its context. */
export const withContextSignals = (
  { ownSignals: ownValues, candidates }: Examination,
  firstScores: Numbers,
): SignalValues => {
  const scores = standardize(firstScores);
  return new Map([
    ...ownValues,
    ...contextSignals.map(
      ({ name, scale, compute }) => [name, scaleValues(scale, compute(scores, candidates))] as const,
    ),
  ]);
};

/** Returns the weighted sum of the signals. Ignores a signal without a weight. */
export const fuse = (evidence: SignalValues, weights: Readonly<Record<string, number>>, length: number): Numbers => {
  const sum = new Float64Array(length);
  for (const [name, values] of evidence) {
    const weight = weights[name] ?? 0;
    if (weight === 0) continue;
    for (let index = 0; index < length; index += 1) sum[index] = (sum[index] ?? 0) + weight * (values[index] ?? 0);
  }
  return sum;
};

const scaleValues = (scale: "relative" | "plain", values: Numbers): Numbers =>
  scale === "relative" ? standardize(values) : values;
