/**
 * Counts the searchable terms of a chunk in its three columns: text, speaker and date. The
 * neighbours' text is a fourth column.
 */
import type { Chunk } from "../chunks/chunk.ts";
import { toTerms } from "../chunks/terms.ts";

/** How often a term occurs in each column. The capped counts are packed into one byte. */
export type Counts = number;

const MAX_TEXT_COUNT = 15;
const MAX_OTHER_COUNT = 3;

/** Weight of one occurrence in tenths. Integers make sums independent of their order. */
const TEXT_WEIGHT = 10;
const SPEAKER_WEIGHT = 5;
const DATE_WEIGHT = 2;
const NEIGHBOUR_WEIGHT = 5;

export interface Columns {
  readonly counts: ReadonlyMap<string, Counts>;
  /** Number of terms in the text, and in all three columns. */
  readonly textLength: number;
  readonly ownLength: number;
}

export const toColumns = (
  { text, speaker = "", date = "" }: Pick<Chunk, "text" | "speaker" | "date">,
  stem?: (word: string) => string,
): Columns => {
  const counts = new Map<string, Counts>();
  const texts = toTerms(text, stem);
  const speakers = toTerms(speaker, stem);
  const dates = toTerms(date, stem);
  for (const term of texts) {
    const count = counts.get(term) ?? 0;
    if (count < MAX_TEXT_COUNT) counts.set(term, count + 1);
  }
  for (const term of speakers) countTerm(counts, term, SPEAKER_STEP);
  for (const term of dates) countTerm(counts, term, DATE_STEP);
  return { counts, textLength: texts.length, ownLength: texts.length + speakers.length + dates.length };
};

/** The byte has four bits for the text, two for the speaker and two for the date. */
const SPEAKER_STEP = 16;
const DATE_STEP = 64;

const countTerm = (counts: Map<string, Counts>, term: string, step: number): void => {
  const packedCounts = counts.get(term) ?? 0;
  if (((packedCounts / step) & MAX_OTHER_COUNT) < MAX_OTHER_COUNT) counts.set(term, packedCounts + step);
};

/** Returns the capped number of occurrences in the text. */
export const textCount = (counts: Counts): number => counts & MAX_TEXT_COUNT;

/** Returns the weight in the chunk's own columns, in tenths. */
export const ownWeight = (counts: Counts): number =>
  (counts & MAX_TEXT_COUNT) * TEXT_WEIGHT +
  ((counts / SPEAKER_STEP) & MAX_OTHER_COUNT) * SPEAKER_WEIGHT +
  ((counts / DATE_STEP) & MAX_OTHER_COUNT) * DATE_WEIGHT;

/** Returns the weight that the chunk's text adds to each neighbour, in tenths. */
export const neighbourWeight = (counts: Counts): number => (counts & MAX_TEXT_COUNT) * NEIGHBOUR_WEIGHT;
