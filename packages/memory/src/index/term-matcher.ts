/**
 * Finds the chunks that a question's terms reach, in their own columns and as neighbours, with the
 * weight in each.
 */
import { bm25Weight } from "./bm25.ts";
import { neighbourWeight, ownWeight } from "./columns.ts";
import { createGrowableArray } from "./growing.ts";
import type { PostingList } from "./postings.ts";
import type { Roster, VisibleChunks } from "./roster.ts";

/** The range of one term within `TermMatches`. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
  /** Upper bound of the term's BM25 weight in any of its chunks. */
  readonly maxWeight: number;
}

/** For every term, its chunks in ascending order and its weight in each. */
interface TermMatches {
  readonly chunks: Uint32Array;
  readonly tenths: Uint16Array;
}

export interface TermMatcher {
  /** The chunks of all terms. Valid until the next search. */
  readonly matches: TermMatches;
  matchAll(lists: Iterable<PostingList>, sight: VisibleChunks): readonly TermRange[];
  /** Returns the weight, or 0 if the term does not reach the chunk. */
  weightAt(reached: TermRange, chunk: number): number;
}

/** Weights of all possible counts, precomputed for millions of lookups. */
const OWN_WEIGHTS = Uint16Array.from({ length: 256 }, (_, counts) => ownWeight(counts));
const NEIGHBOUR_WEIGHTS = Uint16Array.from({ length: 256 }, (_, counts) => neighbourWeight(counts));
/** A posting reaches its chunk and both neighbours. */
const CHUNKS_PER_POSTING = 3;

export const createTermMatcher = (roster: Roster): TermMatcher => {
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const tenths = createGrowableArray((length) => new Uint16Array(length));

  /**
   * Returns the end of the term's range. Postings are ascending, so each adds to one of the last
   * two entries or appends.
   */
  const reach = ({ count, chunks: posted, counts }: PostingList, { mask }: VisibleChunks, from: number): number => {
    for (const column of [chunks, tenths]) column.reserve(from + CHUNKS_PER_POSTING * count);
    const [reached, weights, isFirst] = [chunks.array, tenths.array, roster.firsts];
    let end = from;
    // The code repeats, because function calls would add half of the time. It has no destructuring,
    // which would allocate an array per posting.
    for (let index = 0; index < count; index += 1) {
      const chunk = posted[index] ?? 0;
      if (mask[chunk] !== 1) continue;
      const stands = counts[index] ?? 0;
      const beside = NEIGHBOUR_WEIGHTS[stands] ?? 0;
      const before = chunk - 1;
      const after = chunk + 1;
      if (beside > 0 && chunk > 0 && mask[before] === 1 && isFirst[chunk] !== 1) {
        if (end > from && reached[end - 1] === before) weights[end - 1] = (weights[end - 1] ?? 0) + beside;
        else if (end > from + 1 && reached[end - 2] === before) weights[end - 2] = (weights[end - 2] ?? 0) + beside;
        else {
          reached[end] = before;
          weights[end++] = beside;
        }
      }
      if (end > from && reached[end - 1] === chunk)
        weights[end - 1] = (weights[end - 1] ?? 0) + (OWN_WEIGHTS[stands] ?? 0);
      else {
        reached[end] = chunk;
        weights[end++] = OWN_WEIGHTS[stands] ?? 0;
      }
      if (beside > 0 && mask[after] === 1 && isFirst[after] !== 1) {
        reached[end] = after;
        weights[end++] = beside;
      }
    }
    return end;
  };

  /** Returns the BM25 weight of the heaviest posting in the shortest possible chunk. */
  const maxWeightOf = (from: number, to: number, { meanLength }: VisibleChunks): number => {
    const weights = tenths.array;
    let most = 0;
    for (let at = from; at < to; at += 1) most = Math.max(most, weights[at] ?? 0);
    return bm25Weight(most, 1, meanLength);
  };

  return {
    get matches() {
      return { chunks: chunks.array, tenths: tenths.array };
    },
    matchAll(lists, sight) {
      let end = 0;
      const all: TermRange[] = [];
      for (const list of lists) {
        const from = end;
        end = reach(list, sight, from);
        all.push({ from, to: end, maxWeight: maxWeightOf(from, end, sight) });
      }
      return all;
    },
    weightAt({ from, to }, chunk) {
      const reached = chunks.array;
      let low = from;
      let high = to;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((reached[middle] ?? 0) < chunk) low = middle + 1;
        else high = middle;
      }
      return low < to && reached[low] === chunk ? (tenths.array[low] ?? 0) : 0;
    },
  };
};
