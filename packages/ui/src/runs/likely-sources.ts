/**
 * Finds the texts of a run that probably contain the facts of a sentence: texts with the same numbers, names and
 * words close together. This is a comparison of words and proves nothing. Pure.
 */
import type { Excerpt } from "@hearth/protocol";
import { type Term, termsOf } from "./terms.ts";

/** A text that the agent received. `key` identifies it for the caller. */
export interface ReadText<Key> {
  readonly key: Key;
  readonly text: string;
}

export interface LikelySource<Key> {
  readonly key: Key;
  /** The part of the text that shares the most with the sentence. Its marks are the shared terms. */
  readonly excerpt: Excerpt;
}

export interface SourceFinder<Key> {
  /** Whether the texts were too long to be compared completely. */
  readonly isCut: boolean;
  /** Returns the likely sources of a sentence, the best first. Empty if no text shares enough with it. */
  find(sentence: string): readonly LikelySource<Key>[];
}

export const limits = {
  /** Total length of the texts that are compared. The rest is left out. */
  textLength: 200_000,
  sentenceLength: 2000,
  /** Places of one term in a text. */
  places: 200,
  /** Length of the part of a text in which the shared terms must be. */
  window: 400,
  excerpt: 240,
  sources: 3,
} as const;

/** The lowest weight of the terms that a source shares. A number with three digits has less. */
const MIN_WEIGHT = 3;
/** The lowest share of the sentence's weight, with a shared number or name, and without it. */
const MIN_SHARE = 0.35;
const MIN_SHARE_OF_WORDS = 0.6;
/** A source that shares less than this part of the best one is left out. */
const MIN_OF_BEST = 0.6;
/** A term of at least this weight is a number, a name, or a word with digits. */
const DISTINCT_WEIGHT = 1.25;

interface IndexedText<Key> extends ReadText<Key> {
  readonly places: ReadonlyMap<string, readonly Term[]>;
}

export const createSourceFinder = <Key>(texts: readonly ReadText<Key>[]): SourceFinder<Key> => {
  const indexedTexts: IndexedText<Key>[] = [];
  let remainingLength: number = limits.textLength;
  for (const { key, text } of texts) {
    const comparedText = text.slice(0, remainingLength);
    remainingLength -= comparedText.length;
    indexedTexts.push({ key, text, places: indexTerms(comparedText) });
  }
  return {
    isCut: texts.reduce((sum, { text }) => sum + text.length, 0) > limits.textLength,
    find(sentence) {
      const terms = weighTerms(sentence.slice(0, limits.sentenceLength));
      const total = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
      const candidates = indexedTexts
        .map((text) => ({ text, best: findBestWindow(text, terms) }))
        .filter(({ best }) => isLikely(best, terms, total))
        .toSorted((a, b) => b.best.weight - a.best.weight);
      const minWeight = (candidates[0]?.best.weight ?? 0) * MIN_OF_BEST;
      return candidates
        .filter(({ best }) => best.weight >= minWeight)
        .slice(0, limits.sources)
        .map(({ text, best }) => ({ key: text.key, excerpt: excerptOf(text.text, best.terms) }));
    },
  };
};

const indexTerms = (text: string): ReadonlyMap<string, readonly Term[]> => {
  const places = new Map<string, Term[]>();
  for (const term of termsOf(text)) {
    const knownTerms = places.get(term.key);
    if (knownTerms === undefined) places.set(term.key, [term]);
    else if (knownTerms.length < limits.places) knownTerms.push(term);
  }
  return places;
};

/** Returns the weight of each different term of a sentence. */
const weighTerms = (sentence: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>();
  for (const { key, weight } of termsOf(sentence)) weights.set(key, Math.max(weight, weights.get(key) ?? 0));
  return weights;
};

interface Window {
  readonly weight: number;
  /** The shared terms, in the order of the text. */
  readonly terms: readonly Term[];
}

/** Returns the shortest window of the text whose different shared terms have the highest weight. */
const findBestWindow = <Key>({ places }: IndexedText<Key>, weights: ReadonlyMap<string, number>): Window => {
  const shared = [...weights.keys()].flatMap((key) => places.get(key) ?? []).sort((a, b) => a.from - b.from);
  const counts = new Map<string, number>();
  let best = { weight: 0, firstIndex: 0, end: 0, length: 0 };
  let weight = 0;
  let firstIndex = 0;
  for (const [index, { key, to }] of shared.entries()) {
    const count = counts.get(key) ?? 0;
    if (count === 0) weight += weights.get(key) ?? 0;
    counts.set(key, count + 1);
    // A first term that the window contains again is dropped, so the window is short.
    for (
      let oldestTerm = shared[firstIndex];
      oldestTerm !== undefined && (to - oldestTerm.from > limits.window || (counts.get(oldestTerm.key) ?? 0) > 1);
      oldestTerm = shared[firstIndex]
    ) {
      const remainingCount = (counts.get(oldestTerm.key) ?? 0) - 1;
      counts.set(oldestTerm.key, remainingCount);
      if (remainingCount === 0) weight -= weights.get(oldestTerm.key) ?? 0;
      firstIndex += 1;
    }
    const length = to - (shared[firstIndex]?.from ?? to);
    if (weight > best.weight || (weight === best.weight && length < best.length))
      best = { weight, firstIndex, end: index + 1, length };
  }
  return { weight: best.weight, terms: shared.slice(best.firstIndex, best.end) };
};

const isLikely = (best: Window, weights: ReadonlyMap<string, number>, total: number): boolean => {
  if (best.weight < MIN_WEIGHT) return false;
  const isDistinct = best.terms.some(({ key }) => (weights.get(key) ?? 0) >= DISTINCT_WEIGHT);
  return best.weight / total >= (isDistinct ? MIN_SHARE : MIN_SHARE_OF_WORDS);
};

/** Returns the part of the text around the terms, without cutting a line or a word where that is possible. */
const excerptOf = (text: string, terms: readonly Term[]): Excerpt => {
  const start = terms[0]?.from ?? 0;
  const end = terms.at(-1)?.to ?? 0;
  const spareLength = Math.max(0, limits.excerpt - (end - start));
  const from = cutBefore(text, start, Math.ceil(spareLength / 2));
  const to = cutAfter(text, end, Math.max(0, spareLength - (start - from)));
  const prefix = from === 0 || text[from - 1] === "\n" ? "" : "…";
  const suffix = to === text.length || text[to] === "\n" ? "" : "…";
  return {
    text: `${prefix}${text.slice(from, to)}${suffix}`,
    marks: mergeMarks(terms.map((term) => [term.from - from + prefix.length, term.to - from + prefix.length])),
  };
};

const cutBefore = (text: string, start: number, spareLength: number): number => {
  const minStart = Math.max(0, start - spareLength);
  const line = text.lastIndexOf("\n", start - 1) + 1;
  if (start > 0 && line >= minStart) return line;
  if (minStart === 0) return 0;
  const space = text.indexOf(" ", minStart);
  return space === -1 || space >= start ? start : space + 1;
};

const cutAfter = (text: string, end: number, spareLength: number): number => {
  const maxEnd = Math.min(text.length, end + spareLength);
  const line = text.indexOf("\n", end);
  if (line !== -1 && line <= maxEnd) return line;
  if (maxEnd === text.length) return maxEnd;
  const space = text.lastIndexOf(" ", maxEnd);
  return space <= end ? end : space;
};

/** Joins marks that overlap, such as those of a number and of the word that contains it. */
const mergeMarks = (marks: readonly (readonly [number, number])[]): Excerpt["marks"] => {
  const mergedMarks: Excerpt["marks"] = [];
  for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
    const lastMark = mergedMarks.at(-1);
    if (lastMark !== undefined && from < lastMark[1]) lastMark[1] = Math.max(lastMark[1], to);
    else mergedMarks.push([from, to]);
  }
  return mergedMarks;
};
