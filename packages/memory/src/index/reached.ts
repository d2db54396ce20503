/** Which chunks the terms of a question reach, in their own columns and by what stands beside them, and how much each weighs there. */
import { worth } from "./bm25.ts";
import { neighbourWeight, ownWeight } from "./columns.ts";
import { createGrowing } from "./growing.ts";
import type { PostingList } from "./postings.ts";
import type { Roster, Sight } from "./roster.ts";

/** Of one term: a stretch of what all of them reach. */
export interface Reached {
  readonly from: number;
  readonly to: number;
  /** At least what the term is worth in any of its chunks. */
  readonly most: number;
}

/** Every term's chunks in order, and what the term weighs there. */
interface Found {
  readonly chunks: Uint32Array;
  readonly tenths: Uint16Array;
}

export interface ReachedChunks {
  /** Valid until the next question. */
  readonly found: Found;
  all(lists: Iterable<PostingList>, sight: Sight): readonly Reached[];
  /** 0 where the chunk is not reached. */
  at(reached: Reached, chunk: number): number;
}

/** What counts may say, as weights, looked up a million times. */
const OWN = Uint16Array.from({ length: 256 }, (_, counts) => ownWeight(counts));
const BESIDE = Uint16Array.from({ length: 256 }, (_, counts) => neighbourWeight(counts));
/** A posting reaches its chunk, the one before and the one after. */
const EACH = 3;

export const createReached = (roster: Roster): ReachedChunks => {
  const chunks = createGrowing((length) => new Uint32Array(length));
  const tenths = createGrowing((length) => new Uint16Array(length));

  /** Gives where the term's chunks end. Postings come in order, so what one of them adds to is among the last two or new. */
  const reach = ({ count, chunks: posted, counts }: PostingList, { mask }: Sight, from: number): number => {
    for (const column of [chunks, tenths]) column.reserve(from + EACH * count);
    const [reached, weights, isFirst] = [chunks.array, tenths.array, roster.firsts];
    let end = from;
    // Three times the same, because a function for it takes half again as long. Nothing is taken apart in here: it would be an array for each posting.
    for (let index = 0; index < count; index += 1) {
      const chunk = posted[index] ?? 0;
      if (mask[chunk] !== 1) continue;
      const stands = counts[index] ?? 0;
      const beside = BESIDE[stands] ?? 0;
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
      if (end > from && reached[end - 1] === chunk) weights[end - 1] = (weights[end - 1] ?? 0) + (OWN[stands] ?? 0);
      else {
        reached[end] = chunk;
        weights[end++] = OWN[stands] ?? 0;
      }
      if (beside > 0 && mask[after] === 1 && isFirst[after] !== 1) {
        reached[end] = after;
        weights[end++] = beside;
      }
    }
    return end;
  };

  /** What the heaviest is worth where a chunk is as short as can be. */
  const mostOf = (from: number, to: number, { meanLength }: Sight): number => {
    const weights = tenths.array;
    let most = 0;
    for (let at = from; at < to; at += 1) most = Math.max(most, weights[at] ?? 0);
    return worth(most, 1, meanLength);
  };

  return {
    get found() {
      return { chunks: chunks.array, tenths: tenths.array };
    },
    all(lists, sight) {
      let end = 0;
      const all: Reached[] = [];
      for (const list of lists) {
        const from = end;
        end = reach(list, sight, from);
        all.push({ from, to: end, most: mostOf(from, end, sight) });
      }
      return all;
    },
    at({ from, to }, chunk) {
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
