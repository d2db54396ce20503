/**
 * Ranks chunks with BM25 over postings, with early termination. Terms with the highest possible
 * contribution come first. As soon as a chunk without them cannot reach the best, no new chunks are
 * added. The best chunks are then scored again in the order of the question, so that pruning does
 * not change any sum.
 */
import type { ScoredChunk } from "./chunk-index.ts";
import { inverseDocumentFrequency, bm25Weight } from "./bm25.ts";
import { createBestChunks, type TieOrder } from "./best.ts";
import { createTermMatcher, type TermRange } from "./term-matcher.ts";
import { createGrowableArray } from "./growing.ts";
import type { PostingList } from "./postings.ts";
import type { Roster, VisibleChunks } from "./roster.ts";

export interface LexicalSearch {
  search(lists: Iterable<PostingList>, limit: number, visibleChunks: VisibleChunks): readonly ScoredChunk[];
  /** Returns how many visible chunks contain the term. */
  count(list: PostingList, visibleChunks: VisibleChunks): number;
}

interface Term {
  readonly range: TermRange;
  /** The rarity of the term, and the maximum that it can add to a chunk's score. */
  readonly weight: number;
  readonly maxScore: number;
}

/** Number of the first chunks from which the threshold is estimated. */
const THRESHOLD_SAMPLE_SIZE = 8192;
/** Relative tolerance for sums in a different order. */
const ROUNDING = 1e-9;

export const createLexicalSearch = (roster: Roster, order: TieOrder): LexicalSearch => {
  const matcher = createTermMatcher(roster);
  // The scores are all zero between searches.
  const scores = createGrowableArray((length) => new Float64Array(length));
  const foundChunks = createGrowableArray((length) => new Uint32Array(length));

  /** Adds a term's contribution to all its chunks. Returns the number of chunks found so far. */
  const addScores = ({ range, weight }: Term, { lengths, meanLength }: VisibleChunks, previousSize: number): number => {
    const [{ chunks, tenths }, sums, hits] = [matcher.matches, scores.array, foundChunks.array];
    let size = previousSize;
    for (let index = range.from; index < range.to; index += 1) {
      const chunk = chunks[index] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum === 0) hits[size++] = chunk;
      sums[chunk] = sum + weight * bm25Weight(tenths[index] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
    return size;
  };
  /** Adds a term's contribution as `addScores` does, but only to chunks that were already found. */
  const addScoresToFound = ({ range, weight }: Term, { lengths, meanLength }: VisibleChunks): void => {
    const [{ chunks, tenths }, sums] = [matcher.matches, scores.array];
    for (let index = range.from; index < range.to; index += 1) {
      const chunk = chunks[index] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum > 0) sums[chunk] = sum + weight * bm25Weight(tenths[index] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
  };
  /** Drops chunks that cannot reach `minScore`. Returns the number that remain. */
  const dropBelow = (size: number, minScore: number): number => {
    const [sums, hits] = [scores.array, foundChunks.array];
    let keptCount = 0;
    for (let index = 0; index < size; index += 1) {
      const chunk = hits[index] ?? 0;
      if ((sums[chunk] ?? 0) < minScore) sums[chunk] = 0;
      else hits[keptCount++] = chunk;
    }
    return keptCount;
  };

  /**
   * Returns the lowest of the best sums among the first `size` chunks. Chunks below it cannot be
   * among the best.
   */
  const thresholdOf = (size: number, limit: number): number => {
    if (size < limit) return 0;
    const [sums, hits] = [scores.array, foundChunks.array];
    const best = createBestChunks(limit, anyOrder);
    for (let index = 0; index < size; index += 1) best.offer(hits[index] ?? 0, sums[hits[index] ?? 0] ?? 0);
    return (best.results().at(-1)?.score ?? 0) * (1 - ROUNDING);
  };

  const scoreExactly = (chunk: number, terms: readonly Term[], { lengths, meanLength }: VisibleChunks): number => {
    let sum = 0;
    for (const { range, weight } of terms) {
      const tenths = matcher.weightAt(range, chunk);
      if (tenths > 0) sum += weight * bm25Weight(tenths, lengths[chunk] ?? 0, meanLength);
    }
    return sum;
  };

  return {
    search(lists, limit, visibleChunks) {
      if (limit === 0) return [];
      for (const column of [scores, foundChunks]) column.reserve(roster.count);
      const terms = toTerms(matcher.matchAll(lists, visibleChunks), visibleChunks);
      let remainingScore = terms.reduce((sum, { maxScore }) => sum + maxScore, 0);
      let [addedScore, size] = [0, 0];
      let acceptsNewChunks = true;
      for (const term of terms.toSorted((a, b) => b.maxScore - a.maxScore)) {
        if (acceptsNewChunks && remainingScore < addedScore) {
          const minScore = thresholdOf(Math.min(size, THRESHOLD_SAMPLE_SIZE), limit);
          acceptsNewChunks = remainingScore >= minScore;
          if (!acceptsNewChunks) size = dropBelow(size, minScore - remainingScore);
        }
        if (acceptsNewChunks) size = addScores(term, visibleChunks, size);
        else addScoresToFound(term, visibleChunks);
        remainingScore -= term.maxScore;
        addedScore += term.maxScore;
      }
      if (size > THRESHOLD_SAMPLE_SIZE) size = dropBelow(size, thresholdOf(THRESHOLD_SAMPLE_SIZE, limit));
      size = dropBelow(size, thresholdOf(size, limit));
      const best = createBestChunks(limit, order);
      for (const chunk of foundChunks.array.subarray(0, size)) {
        best.offer(chunk, scoreExactly(chunk, terms, visibleChunks));
        scores.array[chunk] = 0;
      }
      return best.results();
    },
    count({ count, chunks }, { mask }) {
      let visibleCount = 0;
      for (let index = 0; index < count; index += 1) visibleCount += mask[chunks[index] ?? 0] ?? 0;
      return visibleCount;
    },
  };

  function toTerms(ranges: readonly TermRange[], { total }: VisibleChunks): readonly Term[] {
    return ranges.map((range) => {
      const weight = inverseDocumentFrequency(range.to - range.from, total);
      return { range, weight, maxScore: weight * range.maxWeight };
    });
  }
};

/** An order for searches where only the scores matter. */
const anyOrder: TieOrder = () => 0;
