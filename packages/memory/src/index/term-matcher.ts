/**
 * Finds the chunks that contain a question's terms, and the neighbours of these chunks, with the
 * weight of each term.
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

/** For every term, its chunks in ascending order, and its weight in each, in tenths. */
interface TermMatches {
  readonly chunks: Uint32Array;
  readonly tenths: Uint16Array;
}

export interface TermMatcher {
  /** The chunks of all terms. They are valid until the next search. */
  readonly matches: TermMatches;
  matchAll(lists: Iterable<PostingList>, visibleChunks: VisibleChunks): readonly TermRange[];
  /** Returns the weight, or 0 if the term gives the chunk none. */
  weightAt(range: TermRange, chunk: number): number;
}

/** Weights of all possible counts, precomputed for millions of lookups. */
const OWN_WEIGHTS = Uint16Array.from({ length: 256 }, (_, counts) => ownWeight(counts));
const NEIGHBOUR_WEIGHTS = Uint16Array.from({ length: 256 }, (_, counts) => neighbourWeight(counts));
/** A posting adds weight to its chunk and to both neighbours. */
const CHUNKS_PER_POSTING = 3;

export const createTermMatcher = (roster: Roster): TermMatcher => {
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const tenths = createGrowableArray((length) => new Uint16Array(length));

  /**
   * Returns the end of the term's range. Postings are ascending, so each adds to one of the last
   * two entries or appends.
   */
  const writeMatches = (
    { count, chunks: postedChunks, counts }: PostingList,
    { mask }: VisibleChunks,
    from: number,
  ): number => {
    for (const column of [chunks, tenths]) column.reserve(from + CHUNKS_PER_POSTING * count);
    const [matchedChunks, weights, isFirst] = [chunks.array, tenths.array, roster.firsts];
    let end = from;
    // The code repeats, because function calls would add half of the time. It has no destructuring,
    // which would allocate an array per posting.
    for (let index = 0; index < count; index += 1) {
      const chunk = postedChunks[index] ?? 0;
      if (mask[chunk] !== 1) continue;
      const columnCounts = counts[index] ?? 0;
      const neighbourTenths = NEIGHBOUR_WEIGHTS[columnCounts] ?? 0;
      const previousChunk = chunk - 1;
      const nextChunk = chunk + 1;
      if (neighbourTenths > 0 && chunk > 0 && mask[previousChunk] === 1 && isFirst[chunk] !== 1) {
        if (end > from && matchedChunks[end - 1] === previousChunk)
          weights[end - 1] = (weights[end - 1] ?? 0) + neighbourTenths;
        else if (end > from + 1 && matchedChunks[end - 2] === previousChunk)
          weights[end - 2] = (weights[end - 2] ?? 0) + neighbourTenths;
        else {
          matchedChunks[end] = previousChunk;
          weights[end++] = neighbourTenths;
        }
      }
      if (end > from && matchedChunks[end - 1] === chunk)
        weights[end - 1] = (weights[end - 1] ?? 0) + (OWN_WEIGHTS[columnCounts] ?? 0);
      else {
        matchedChunks[end] = chunk;
        weights[end++] = OWN_WEIGHTS[columnCounts] ?? 0;
      }
      if (neighbourTenths > 0 && mask[nextChunk] === 1 && isFirst[nextChunk] !== 1) {
        matchedChunks[end] = nextChunk;
        weights[end++] = neighbourTenths;
      }
    }
    return end;
  };

  /** Returns the BM25 weight of the heaviest posting in the shortest possible chunk. */
  const maxWeightOf = (from: number, to: number, { meanLength }: VisibleChunks): number => {
    const weights = tenths.array;
    let maximum = 0;
    for (let index = from; index < to; index += 1) maximum = Math.max(maximum, weights[index] ?? 0);
    return bm25Weight(maximum, 1, meanLength);
  };

  return {
    get matches() {
      return { chunks: chunks.array, tenths: tenths.array };
    },
    matchAll(lists, visibleChunks) {
      let end = 0;
      const ranges: TermRange[] = [];
      for (const list of lists) {
        const from = end;
        end = writeMatches(list, visibleChunks, from);
        ranges.push({ from, to: end, maxWeight: maxWeightOf(from, end, visibleChunks) });
      }
      return ranges;
    },
    weightAt({ from, to }, chunk) {
      const matchedChunks = chunks.array;
      let low = from;
      let high = to;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((matchedChunks[middle] ?? 0) < chunk) low = middle + 1;
        else high = middle;
      }
      return low < to && matchedChunks[low] === chunk ? (tenths.array[low] ?? 0) : 0;
    },
  };
};
