/** What of a chunk is found by its words: three columns of its own, and the text of its neighbours as a fourth. */
import type { Chunk } from "../chunks/chunk.ts";
import { toTerms } from "../chunks/terms.ts";

/** How often a term stands in each column, as one byte: what comes after the most that fits does not count. */
export type Counts = number;

const MAX_TEXT = 15;
const MAX_OTHER = 3;

/** What one occurrence weighs, in tenths: sums of whole numbers do not depend on their order. */
const TEXT = 10;
const SPEAKER = 5;
const DATE = 2;
const NEIGHBOUR = 5;

export interface Columns {
  readonly counts: ReadonlyMap<string, Counts>;
  /** Terms of its text, and of all its own columns. */
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
    const before = counts.get(term) ?? 0;
    if (before < MAX_TEXT) counts.set(term, before + 1);
  }
  for (const term of speakers) count(counts, term, SPEAKER_STEP);
  for (const term of dates) count(counts, term, DATE_STEP);
  return { counts, textLength: texts.length, ownLength: texts.length + speakers.length + dates.length };
};

/** Four bits of the byte are the text's, two the speaker's, two the date's. */
const SPEAKER_STEP = 16;
const DATE_STEP = 64;

const count = (counts: Map<string, Counts>, term: string, step: number): void => {
  const before = counts.get(term) ?? 0;
  if (((before / step) & MAX_OTHER) < MAX_OTHER) counts.set(term, before + step);
};

/** How often it stands in the text, as far as that counts. */
export const textCount = (counts: Counts): number => counts & MAX_TEXT;

/** In tenths, of the chunk's own columns. */
export const ownWeight = (counts: Counts): number =>
  (counts & MAX_TEXT) * TEXT +
  ((counts / SPEAKER_STEP) & MAX_OTHER) * SPEAKER +
  ((counts / DATE_STEP) & MAX_OTHER) * DATE;

/** In tenths, of what the chunk's text gives to the chunk before and the chunk after it. */
export const neighbourWeight = (counts: Counts): number => (counts & MAX_TEXT) * NEIGHBOUR;
