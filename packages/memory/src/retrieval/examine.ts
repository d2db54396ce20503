/** Computes all signals of a question's candidates, scaled for weighting. */
import type { Day } from "../chunks/days.ts";
import { createStems } from "../chunks/terms.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, Visible } from "../index/chunk-index.ts";
import { type Candidates, findCandidates, type Reach } from "./candidates.ts";
import { contextSignals } from "./context-signals.ts";
import { readQuestion } from "./question.ts";
import { type Numbers, standardize } from "./scale.ts";
import { ownSignals } from "./signals.ts";

/** One number per candidate, by the name of the signal. */
export type Evidence = ReadonlyMap<string, Numbers>;

export interface Examined {
  readonly candidates: Candidates;
  /** "lexical" if nothing was compared by vectors. */
  readonly mode: "hybrid" | "lexical";
  readonly own: Evidence;
}

export interface ExamineOptions {
  readonly query: string;
  readonly visible: Visible;
  /** The day to which words such as "yesterday" refer. Without it, they are ignored. */
  readonly today?: Day;
  readonly signal?: AbortSignal;
}

export interface ExaminerOptions {
  readonly index: ChunkIndex;
  readonly embedder?: Embedder;
  readonly reach?: Reach;
}

/**
 * Limits of the candidates, which are about 170 chunks in practice. Doubling them gains nothing
 * within a conversation, and 0.005 over five.
 */
const REACH: Reach = { lexical: 80, nearest: 80, beside: 40 };

export const createExaminer = ({ index, embedder, reach = REACH }: ExaminerOptions) => {
  const stem = createStems();
  return {
    async examine({ query, visible, today, signal }: ExamineOptions): Promise<Examined> {
      const question = readQuestion(query, index.speakers(visible), today);
      const texts = question.statement === "" || question.statement === query ? [query] : [query, question.statement];
      const vectors = (await embedder?.embed(texts, signal)) ?? [];
      const candidates = findCandidates({ index, stem, question, vectors, visible, reach });
      return {
        candidates,
        mode: candidates.all.some(({ compared }) => compared !== undefined) ? "hybrid" : "lexical",
        own: new Map(ownSignals.map(({ name, scale, of }) => [name, onScale(scale, of(question, candidates))])),
      };
    },
  };
};

/** Returns all signals after a first pass: the chunk's own and those of its context. */
export const inContext = ({ own, candidates }: Examined, first: Numbers): Evidence => {
  const scores = standardize(first);
  return new Map([
    ...own,
    ...contextSignals.map(({ name, scale, of }) => [name, onScale(scale, of(scores, candidates))] as const),
  ]);
};

/** Returns the weighted sum of the signals. Ignores a signal without a weight. */
export const fuse = (evidence: Evidence, weights: Readonly<Record<string, number>>, length: number): Numbers => {
  const sum = new Float64Array(length);
  for (const [name, values] of evidence) {
    const weight = weights[name] ?? 0;
    if (weight !== 0) for (let at = 0; at < length; at += 1) sum[at] = (sum[at] ?? 0) + weight * (values[at] ?? 0);
  }
  return sum;
};

const onScale = (scale: "relative" | "plain", values: Numbers): Numbers =>
  scale === "relative" ? standardize(values) : values;
