/** Finds the chunks that answer a question, by words and by vectors. */
import type { MemoryTuning } from "@hearth/protocol/memory-frames";
import type { Day } from "../chunks/days.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, IndexedChunk, VisibilityFilter } from "../index/chunk-index.ts";
import { createExaminer, type SignalValues, type Examination, fuse, withContextSignals } from "./examine.ts";
import { AGE_SIGNAL } from "./parts.ts";
import { type Blend, blendScores } from "./recipes.ts";
import { type Numbers, rank } from "./scale.ts";
import { adjustForAge, agesOf, blendOf } from "./tuning.ts";
import { type Weights, weights } from "./weights.ts";

export interface RetrieverOptions {
  readonly index: ChunkIndex;
  /** The embedder. Without it, or while most vectors are missing, only words are compared. */
  readonly embedder?: Embedder;
}

export interface Search {
  readonly query: string;
  readonly limit: number;
  readonly visible: VisibilityFilter;
  /** The day to which words such as "yesterday" refer, in the caller's time zone. */
  readonly today?: Day;
  /** Replaces the learned weights, or adds a penalty for age. */
  readonly tuning?: MemoryTuning;
  readonly signal?: AbortSignal;
}

export interface Hit {
  readonly chunk: IndexedChunk;
  /** Higher is better. Comparable only within one search. */
  readonly score: number;
  /** The contribution of each signal to the score, by name. */
  readonly contributions: Readonly<Record<string, number>>;
}

export interface SearchResult {
  /** At most `limit` hits, best first. Superseded chunks come after all others. */
  readonly hits: readonly Hit[];
  /** "lexical" if nothing was compared by vectors. */
  readonly mode: "hybrid" | "lexical";
}

/**
 * Contract:
 * - an invisible chunk is not among the hits and does not affect them
 * - the same question to the same index gives the same hits
 * - an aborted signal rejects; an error of the embedder rejects
 */
export interface Retriever {
  search(search: Search): Promise<SearchResult>;
}

export const createRetriever = (options: RetrieverOptions): Retriever => {
  const examiner = createExaminer(options);
  return {
    async search({ limit, tuning = {}, ...question }) {
      const examined = await examiner.examine(question);
      const candidates = examined.candidates.all;
      const blend = blendOf(tuning, examined.mode);
      const { scores: unaged, contributionsOf } = scoreCandidates(examined, weights, blend);
      const ages = agesOf(candidates, tuning, question.today);
      const ageAdjustments = ages?.map((age, index) => adjustForAge(unaged[index] ?? 0, age, blend !== undefined));
      const scores =
        ageAdjustments === undefined ? unaged : unaged.map((score, index) => score + (ageAdjustments[index] ?? 0));
      const order = rank(scores).filter((index) => candidates[index] !== undefined);
      const isSuperseded = (index: number): boolean => candidates[index]?.chunk.supersededBy !== undefined;
      const ordered = [...order.filter((index) => !isSuperseded(index)), ...order.filter(isSuperseded)].slice(
        0,
        Math.max(0, limit),
      );
      const hits = ordered.flatMap((index): Hit | [] => {
        const chunk = candidates[index]?.chunk;
        if (chunk === undefined) return [];
        return {
          chunk,
          score: scores[index] ?? 0,
          contributions: { ...contributionsOf(index), ...ageContribution(ageAdjustments?.[index]) },
        };
      });
      return { hits, mode: examined.mode };
    },
  };
};

interface ScoredCandidates {
  readonly scores: Numbers;
  readonly contributionsOf: (index: number) => Hit["contributions"];
}

const scoreCandidates = (
  examined: Examination,
  { hybrid, lexical }: Weights,
  blend: Blend | undefined,
): ScoredCandidates => {
  const { ownSignals, mode, candidates } = examined;
  const length = candidates.all.length;
  if (blend !== undefined) {
    const lexicalScores = blendScores(examined, { ...blend, semantic: 0 });
    const scores = blendScores(examined, blend);
    return {
      scores,
      contributionsOf: (index) => {
        const lexicalScore = lexicalScores[index] ?? 0;
        return omitZeros({ lexical: lexicalScore, whole: (scores[index] ?? 0) - lexicalScore });
      },
    };
  }
  const { first, second } = mode === "hybrid" ? hybrid : lexical;
  const scores = fuse(ownSignals, first, length);
  const evidence = withContextSignals(examined, scores);
  return { scores: fuse(evidence, second, length), contributionsOf: (index) => explain(evidence, second, index) };
};

const ageContribution = (contribution: number | undefined): Hit["contributions"] =>
  omitZeros({ [AGE_SIGNAL]: contribution ?? 0 });

const omitZeros = (contributions: Hit["contributions"]): Hit["contributions"] =>
  Object.fromEntries(Object.entries(contributions).filter(([, value]) => value !== 0));

const explain = (
  evidence: SignalValues,
  weights: Readonly<Record<string, number>>,
  index: number,
): Hit["contributions"] =>
  Object.fromEntries(
    [...evidence].flatMap(([name, values]) => {
      const contribution = (weights[name] ?? 0) * (values[index] ?? 0);
      return contribution === 0 ? [] : [[name, contribution] as const];
    }),
  );
