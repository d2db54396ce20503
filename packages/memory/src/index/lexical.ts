/**
 * Ranks chunks with BM25 over postings, with early termination. Terms with the highest possible
 * contribution come first. As soon as a chunk without them cannot reach the best, no new chunks are
 * added. The best chunks are then scored again in the order of the question, so that pruning does
 * not change any sum.
 */
import type { Scored } from "./chunk-index.ts";
import { rarity, worth } from "./bm25.ts";
import { createBest, type TieOrder } from "./best.ts";
import { createReached, type Reached } from "./reached.ts";
import { createGrowing } from "./growing.ts";
import type { PostingList } from "./postings.ts";
import type { Roster, Sight } from "./roster.ts";

export interface Lexical {
  search(lists: Iterable<PostingList>, limit: number, sight: Sight): readonly Scored[];
  /** Returns how many visible chunks contain the term. */
  count(list: PostingList, sight: Sight): number;
}

interface Term {
  readonly reached: Reached;
  /** The rarity of the term, and the maximum that it can add to a chunk's score. */
  readonly weight: number;
  readonly most: number;
}

/** Number of the first chunks from which the threshold is estimated. */
const THRESHOLD_SAMPLE = 8192;
/** Relative tolerance for sums in a different order. */
const ROUNDING = 1e-9;

export const createLexical = (roster: Roster, order: TieOrder): Lexical => {
  const reach = createReached(roster);
  // The scores are all zero between searches.
  const scores = createGrowing((length) => new Float64Array(length));
  const found = createGrowing((length) => new Uint32Array(length));

  /** Adds a term's contribution to all its chunks. Returns the number of chunks found so far. */
  const sumUp = ({ reached, weight }: Term, { lengths, meanLength }: Sight, before: number): number => {
    const [{ chunks, tenths }, sums, hits] = [reach.found, scores.array, found.array];
    let size = before;
    for (let at = reached.from; at < reached.to; at += 1) {
      const chunk = chunks[at] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum === 0) hits[size++] = chunk;
      sums[chunk] = sum + weight * worth(tenths[at] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
    return size;
  };
  /** Adds a term's contribution as `sumUp` does, but only to chunks that were already found. */
  const sumUpMore = ({ reached, weight }: Term, { lengths, meanLength }: Sight): void => {
    const [{ chunks, tenths }, sums] = [reach.found, scores.array];
    for (let at = reached.from; at < reached.to; at += 1) {
      const chunk = chunks[at] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum > 0) sums[chunk] = sum + weight * worth(tenths[at] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
  };
  /** Drops chunks that cannot reach `least`. Returns the number that remain. */
  const keep = (size: number, least: number): number => {
    const [sums, hits] = [scores.array, found.array];
    let kept = 0;
    for (let at = 0; at < size; at += 1) {
      const chunk = hits[at] ?? 0;
      if ((sums[chunk] ?? 0) < least) sums[chunk] = 0;
      else hits[kept++] = chunk;
    }
    return kept;
  };

  /**
   * Returns the lowest of the best sums among the first `size` chunks. Chunks below it cannot be
   * among the best.
   */
  const leastOf = (size: number, limit: number): number => {
    if (size < limit) return 0;
    const [sums, hits] = [scores.array, found.array];
    const best = createBest(limit, anyOrder);
    for (let at = 0; at < size; at += 1) best.offer(hits[at] ?? 0, sums[hits[at] ?? 0] ?? 0);
    return (best.take().at(-1)?.score ?? 0) * (1 - ROUNDING);
  };

  const exactly = (chunk: number, terms: readonly Term[], { lengths, meanLength }: Sight): number => {
    let sum = 0;
    for (const { reached, weight } of terms) {
      const tenths = reach.at(reached, chunk);
      if (tenths > 0) sum += weight * worth(tenths, lengths[chunk] ?? 0, meanLength);
    }
    return sum;
  };

  return {
    search(lists, limit, sight) {
      if (limit === 0) return [];
      for (const column of [scores, found]) column.reserve(roster.count);
      const terms = toTerms(reach.all(lists, sight), sight);
      let left = terms.reduce((sum, { most }) => sum + most, 0);
      let [done, size] = [0, 0];
      let isOpen = true;
      for (const term of terms.toSorted((one, other) => other.most - one.most)) {
        if (isOpen && left < done) {
          const least = leastOf(Math.min(size, THRESHOLD_SAMPLE), limit);
          isOpen = left >= least;
          if (!isOpen) size = keep(size, least - left);
        }
        if (isOpen) size = sumUp(term, sight, size);
        else sumUpMore(term, sight);
        left -= term.most;
        done += term.most;
      }
      if (size > THRESHOLD_SAMPLE) size = keep(size, leastOf(THRESHOLD_SAMPLE, limit));
      size = keep(size, leastOf(size, limit));
      const best = createBest(limit, order);
      for (const chunk of found.array.subarray(0, size)) {
        best.offer(chunk, exactly(chunk, terms, sight));
        scores.array[chunk] = 0;
      }
      return best.take();
    },
    count({ count, chunks }, { mask }) {
      let visible = 0;
      for (let index = 0; index < count; index += 1) visible += mask[chunks[index] ?? 0] ?? 0;
      return visible;
    },
  };

  function toTerms(all: readonly Reached[], { total }: Sight): readonly Term[] {
    return all.map((reached) => {
      const weight = rarity(reached.to - reached.from, total);
      return { reached, weight, most: weight * reached.most };
    });
  }
};

/** An order for searches where only the scores matter. */
const anyOrder: TieOrder = () => 0;
