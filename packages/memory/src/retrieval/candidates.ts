/** The chunks that a question is compared with in full: those that words or meaning bring up, and what stands beside them. */
import type { ChunkIndex, ChunkNumber, Compared, IndexedChunk, Scored, Visible } from "../index/chunk-index.ts";
import type { Question } from "./question.ts";
import { readChunk, type Reading } from "./reading.ts";

export interface Candidate {
  readonly chunk: IndexedChunk;
  readonly reading: Reading;
  /** How often each term of the question stands in its text, in their order, and how many terms the text has. */
  readonly counts: Uint8Array;
  readonly length: number;
  /** With the question, and with the question as a statement. */
  readonly compared: Compared | undefined;
  /** As the index gives it; 0 where none of the words stands. */
  readonly lexical: number;
  /** Places of its neighbours among the candidates, -1 where they are not. */
  readonly previous: number;
  readonly next: number;
  /** Which of the files it is in, counted from 0. */
  readonly file: number;
}

export interface Candidates {
  /** By path and place in the file, so that the order in which chunks were found changes nothing. */
  readonly all: readonly Candidate[];
  /** Files that they are from. */
  readonly files: number;
  /** In how many visible chunks a term of the question stands, and how many chunks there are. */
  readonly frequency: (term: string) => number;
  readonly total: number;
}

export interface Reach {
  /** How many chunks words, and how many meaning, may bring up. */
  readonly lexical: number;
  readonly nearest: number;
  /** Of how many of them, the best first, the neighbours are looked at as well. */
  readonly beside: number;
}

export interface CandidatesAsked {
  readonly index: ChunkIndex;
  /** As `toTerms` takes it. */
  readonly stem?: (word: string) => string;
  readonly question: Question;
  /** Of the question, and of the question as a statement; none where nothing is compared by meaning. */
  readonly vectors: readonly Float32Array[];
  readonly visible: Visible;
  readonly reach: Reach;
}

export const findCandidates = ({ index, stem, question, vectors, visible, reach }: CandidatesAsked): Candidates => {
  // Where meaning brings up nothing, words may bring up as much as both.
  const byWords = index.lexical(question.terms, reach.lexical + (vectors.length === 0 ? reach.nearest : 0), visible);
  const byMeaning = vectors.slice(0, 1).map((vector) => index.nearest(vector, reach.nearest, visible));
  const lexical = new Map(byWords.map(({ chunk, score }) => [chunk, score]));
  const found = index.chunks(bestFirst([byWords, ...byMeaning]), visible);
  const chunks = [...found, ...neighbours(index, found, reach.beside, visible)].sort(byPlace);
  const places = new Map(chunks.map(({ number }, at) => [number, at]));
  const numbers = chunks.map(({ number }) => number);
  const compared = vectors.length === 0 ? new Map<ChunkNumber, Compared>() : index.compare(numbers, vectors);
  const { terms } = question;
  const { counts: stands, lengths } = index.occurrences(terms, numbers);
  const paths = [...new Set(chunks.map(({ path }) => path))];
  const fileNumbers = new Map(paths.map((path, at) => [path, at]));
  const { counts, total } = index.frequencies(terms, visible);
  const frequencies = new Map(terms.map((term, at) => [term, counts[at] ?? 0]));
  return {
    all: chunks.map((chunk, at) => ({
      chunk,
      reading: readChunk(chunk, stem),
      counts: stands.subarray(at * terms.length, (at + 1) * terms.length),
      length: lengths[at] ?? 0,
      compared: compared.get(chunk.number),
      lexical: lexical.get(chunk.number) ?? 0,
      previous: places.get(chunk.previous ?? -1) ?? -1,
      next: places.get(chunk.next ?? -1) ?? -1,
      file: fileNumbers.get(chunk.path) ?? 0,
    })),
    files: paths.length,
    frequency: (term) => frequencies.get(term) ?? 0,
    total,
  };
};

/** What is high in any of the lists, or in several, first: each on a scale from its worst to its best. */
const bestFirst = (lists: readonly (readonly Scored[])[]): readonly ChunkNumber[] => {
  const scores = new Map<ChunkNumber, number>();
  for (const list of lists) {
    const [most, least] = [list[0]?.score ?? 0, list.at(-1)?.score ?? 0];
    for (const { chunk, score } of list) {
      scores.set(chunk, (scores.get(chunk) ?? 0) + (most > least ? (score - least) / (most - least) : 1));
    }
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([chunk]) => chunk);
};

const neighbours = (
  index: ChunkIndex,
  found: readonly IndexedChunk[],
  most: number,
  visible: Visible,
): readonly IndexedChunk[] => {
  const known = new Set(found.map(({ number }) => number));
  const best = found.slice(0, most);
  const numbers = new Set(best.flatMap(({ previous, next }) => [previous, next].filter((one) => one !== undefined)));
  return index.chunks(
    [...numbers].filter((number) => !known.has(number)),
    visible,
  );
};

const byPlace = (one: IndexedChunk, other: IndexedChunk): number => {
  if (one.path === other.path) return one.ordinal - other.ordinal;
  return one.path < other.path ? -1 : 1;
};
