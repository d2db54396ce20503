/**
 * BM25 over postings: the terms that can say most first, until nothing that has none of them could be among the best any more. The best are then
 * scored term by term in the order of the question, so that no sum depends on what was left out.
 */
import type { Scored } from "./chunk-index.ts";
import { rarity, worth } from "./bm25.ts";
import { createBest, type PlaceOrder } from "./best.ts";
import { createReached, type Reached } from "./reached.ts";
import { createGrowing } from "./growing.ts";
import type { PostingList } from "./postings.ts";
import type { Roster, Sight } from "./roster.ts";

export interface Lexical {
  search(lists: Iterable<PostingList>, limit: number, sight: Sight): readonly Scored[];
  /** In how many visible chunks a term stands. */
  count(list: PostingList, sight: Sight): number;
}

interface Term {
  readonly reached: Reached;
  /** What it says that the term stands somewhere, and the most that it says of any chunk. */
  readonly says: number;
  readonly most: number;
}

/** So many of those that were reached first, by what says most, tell nearly as much as all. */
const ASKED = 8192;
/** Sums that are made in another order are other numbers, by far less than this part of them. */
const ROUNDING = 1e-9;

export const createLexical = (roster: Roster, order: PlaceOrder): Lexical => {
  const reach = createReached(roster);
  // All zero between questions.
  const scores = createGrowing((length) => new Float64Array(length));
  const found = createGrowing((length) => new Uint32Array(length));

  /** Adds what a term says of every chunk that it reaches. Gives how many have been reached so far. */
  const sumUp = ({ reached, says }: Term, { lengths, meanLength }: Sight, before: number): number => {
    const [{ chunks, tenths }, sums, hits] = [reach.found, scores.array, found.array];
    let size = before;
    for (let at = reached.from; at < reached.to; at += 1) {
      const chunk = chunks[at] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum === 0) hits[size++] = chunk;
      sums[chunk] = sum + says * worth(tenths[at] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
    return size;
  };
  /** The same, of those alone that have been reached. */
  const sumUpMore = ({ reached, says }: Term, { lengths, meanLength }: Sight): void => {
    const [{ chunks, tenths }, sums] = [reach.found, scores.array];
    for (let at = reached.from; at < reached.to; at += 1) {
      const chunk = chunks[at] ?? 0;
      const sum = sums[chunk] ?? 0;
      if (sum > 0) sums[chunk] = sum + says * worth(tenths[at] ?? 0, lengths[chunk] ?? 0, meanLength);
    }
  };
  /** Forgets those that cannot reach `least`. Gives how many are left. */
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

  /** The least of the best sums of the first `size` that were reached: what stays below it is not among the best of all. */
  const leastOf = (size: number, limit: number): number => {
    if (size < limit) return 0;
    const [sums, hits] = [scores.array, found.array];
    const best = createBest(limit, even);
    for (let at = 0; at < size; at += 1) best.offer(hits[at] ?? 0, sums[hits[at] ?? 0] ?? 0);
    return (best.take().at(-1)?.score ?? 0) * (1 - ROUNDING);
  };

  const exactly = (chunk: number, terms: readonly Term[], { lengths, meanLength }: Sight): number => {
    let sum = 0;
    for (const { reached, says } of terms) {
      const tenths = reach.at(reached, chunk);
      if (tenths > 0) sum += says * worth(tenths, lengths[chunk] ?? 0, meanLength);
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
          const least = leastOf(Math.min(size, ASKED), limit);
          isOpen = left >= least;
          if (!isOpen) size = keep(size, least - left);
        }
        if (isOpen) size = sumUp(term, sight, size);
        else sumUpMore(term, sight);
        left -= term.most;
        done += term.most;
      }
      if (size > ASKED) size = keep(size, leastOf(ASKED, limit));
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
      const says = rarity(reached.to - reached.from, total);
      return { reached, says, most: says * reached.most };
    });
  }
};

/** Where only scores are asked for. */
const even: PlaceOrder = () => 0;
