/** A question and its candidates, with every signal on a scale that weights can be given for. */
import type { Day } from "../chunks/days.ts";
import { createStems } from "../chunks/terms.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, Visible } from "../index/chunk-index.ts";
import { type Candidates, findCandidates, type Reach } from "./candidates.ts";
import { contextSignals } from "./context-signals.ts";
import { readQuestion } from "./question.ts";
import { type Numbers, standardize } from "./scale.ts";
import { ownSignals } from "./signals.ts";

/** Name of a signal → a number for each candidate. */
export type Evidence = ReadonlyMap<string, Numbers>;

export interface Examined {
  readonly candidates: Candidates;
  /** "lexical" where nothing could be compared by meaning. */
  readonly mode: "hybrid" | "lexical";
  readonly own: Evidence;
}

export interface Asking {
  readonly query: string;
  readonly visible: Visible;
  /** What "yesterday" counts from. Without it, such words say nothing. */
  readonly today?: Day;
  readonly signal?: AbortSignal;
}

export interface ExaminerOptions {
  readonly index: ChunkIndex;
  readonly embedder?: Embedder;
  readonly reach?: Reach;
}

/** Some 170 chunks in practice. Twice as many find as much in a conversation, and half of a hundredth more in five of them together. */
const REACH: Reach = { lexical: 80, nearest: 80, beside: 40 };

export const createExaminer = ({ index, embedder, reach = REACH }: ExaminerOptions) => {
  const stem = createStems();
  return {
    async examine({ query, visible, today, signal }: Asking): Promise<Examined> {
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

/** Everything that is known after a first pass: what spoke for each chunk by itself, and what its place gives it. */
export const inContext = ({ own, candidates }: Examined, first: Numbers): Evidence => {
  const scores = standardize(first);
  return new Map([
    ...own,
    ...contextSignals.map(({ name, scale, of }) => [name, onScale(scale, of(scores, candidates))] as const),
  ]);
};

/** The weighted sum. A signal without a weight counts for nothing. */
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
