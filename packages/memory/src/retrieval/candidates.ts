/** Finds the chunks to compare completely: the best by words and by meaning, and their neighbours. */
import type {
  ChunkIndex,
  ChunkNumber,
  Comparison,
  IndexedChunk,
  ScoredChunk,
  VisibilityFilter,
} from "../index/chunk-index.ts";
import type { Question } from "./question.ts";
import { analyzeChunk, type TextFeatures } from "./reading.ts";

export interface Candidate {
  readonly chunk: IndexedChunk;
  readonly features: TextFeatures;
  /**
   * How often each term of the question occurs in the text, in the question's order, and the number
   * of terms in the text.
   */
  readonly counts: Uint8Array;
  readonly length: number;
  /** Cosines with the question and with its topic. */
  readonly comparison: Comparison | undefined;
  /** The index's BM25 score. 0 if no term occurs. */
  readonly lexical: number;
  /** Positions of the neighbours among the candidates. -1 for a neighbour that is not a candidate. */
  readonly previous: number;
  readonly next: number;
  /** Number of the chunk's file among the candidates' files, from 0. */
  readonly file: number;
}

export interface Candidates {
  /** Sorted by path and position, so that the order of discovery has no effect. */
  readonly all: readonly Candidate[];
  /** Number of files with candidates. */
  readonly files: number;
  /** Number of visible chunks that contain a term of the question, and number of visible chunks. */
  readonly frequency: (term: string) => number;
  readonly total: number;
}

export interface CandidateLimits {
  /** How many chunks the search by words may contribute, and how many the search by vectors. */
  readonly lexical: number;
  readonly nearest: number;
  /** Number of the best chunks whose neighbours become candidates. */
  readonly neighbours: number;
}

export interface CandidatesOptions {
  readonly index: ChunkIndex;
  /** A cached stemmer for `toTerms`. */
  readonly stem?: (word: string) => string;
  readonly question: Question;
  /** Vectors of the question and of its topic. Empty if only words are compared. */
  readonly vectors: readonly Float32Array[];
  readonly visible: VisibilityFilter;
  readonly limits: CandidateLimits;
}

export const findCandidates = ({ index, stem, question, vectors, visible, limits }: CandidatesOptions): Candidates => {
  // Without vectors, the search by words contributes the share of both.
  const byWords = index.lexical(question.terms, limits.lexical + (vectors.length === 0 ? limits.nearest : 0), visible);
  const byMeaning = vectors.slice(0, 1).map((vector) => index.nearest(vector, limits.nearest, visible));
  const lexical = new Map(byWords.map(({ chunk, score }) => [chunk, score]));
  const foundChunks = index.chunks(mergeByScore([byWords, ...byMeaning]), visible);
  const neighbours = findNeighbours(index, foundChunks, limits.neighbours, visible);
  const chunks = [...foundChunks, ...neighbours].sort(compareByPosition);
  const positions = new Map(chunks.map(({ number }, index) => [number, index]));
  const numbers = chunks.map(({ number }) => number);
  const comparisons = vectors.length === 0 ? new Map<ChunkNumber, Comparison>() : index.compare(numbers, vectors);
  const { terms } = question;
  const { counts: occurrenceCounts, lengths } = index.occurrences(terms, numbers);
  const paths = [...new Set(chunks.map(({ path }) => path))];
  const fileNumbers = new Map(paths.map((path, index) => [path, index]));
  const { counts, total } = index.frequencies(terms, visible);
  const frequencies = new Map(terms.map((term, index) => [term, counts[index] ?? 0]));
  return {
    all: chunks.map((chunk, index) => ({
      chunk,
      features: analyzeChunk(chunk, stem),
      counts: occurrenceCounts.subarray(index * terms.length, (index + 1) * terms.length),
      length: lengths[index] ?? 0,
      comparison: comparisons.get(chunk.number),
      lexical: lexical.get(chunk.number) ?? 0,
      previous: positions.get(chunk.previous ?? -1) ?? -1,
      next: positions.get(chunk.next ?? -1) ?? -1,
      file: fileNumbers.get(chunk.path) ?? 0,
    })),
    files: paths.length,
    frequency: (term) => frequencies.get(term) ?? 0,
    total,
  };
};

/** Merges lists by the sum of their scores, with each list scaled to 0..1. */
const mergeByScore = (lists: readonly (readonly ScoredChunk[])[]): readonly ChunkNumber[] => {
  const scores = new Map<ChunkNumber, number>();
  for (const list of lists) {
    const [highest, lowest] = [list[0]?.score ?? 0, list.at(-1)?.score ?? 0];
    for (const { chunk, score } of list) {
      scores.set(chunk, (scores.get(chunk) ?? 0) + (highest > lowest ? (score - lowest) / (highest - lowest) : 1));
    }
  }
  return [...scores].sort(([, scoreA], [, scoreB]) => scoreB - scoreA).map(([chunk]) => chunk);
};

const findNeighbours = (
  index: ChunkIndex,
  found: readonly IndexedChunk[],
  limit: number,
  visible: VisibilityFilter,
): readonly IndexedChunk[] => {
  const foundNumbers = new Set(found.map(({ number }) => number));
  const bestChunks = found.slice(0, limit);
  const numbers = new Set(
    bestChunks.flatMap(({ previous, next }) => [previous, next].filter((number) => number !== undefined)),
  );
  return index.chunks(
    [...numbers].filter((number) => !foundNumbers.has(number)),
    visible,
  );
};

const compareByPosition = (a: IndexedChunk, b: IndexedChunk): number => {
  if (a.path === b.path) return a.ordinal - b.ordinal;
  return a.path < b.path ? -1 : 1;
};
