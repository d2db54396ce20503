/**
 * The vectors of chunks. Coarse vectors of whole chunks are in memory and find the nearest ones.
 * Finer vectors are on disk and are read for the few chunks that are compared exactly.
 */
import { createBest, type TieOrder } from "../../index/best.ts";
import type { Compared, Scored } from "../../index/chunk-index.ts";
import type { Coarse } from "../../index/coarse.ts";
import { createComparer } from "../../index/comparer.ts";
import { createNear, type SearchScope } from "../../index/near.ts";
import { dot } from "../../retrieval/scale.ts";
import type { IndexRows } from "./index-rows.ts";
import { likenessesOf, refine } from "./vector-bytes.ts";

export interface VectorSearch {
  readonly dimensions: number;
  /** Sets the coarse vector of a chunk. The finer vectors must be on disk by then. */
  set(number: number, vector: Coarse): void;
  /** Throws a RangeError, as `compare` does, if the vectors on disk are damaged. */
  nearest(vector: Float32Array, limit: number, scope: SearchScope): readonly Scored[];
  /** Accepts only chunks that have vectors. */
  compare(numbers: readonly number[], questions: readonly Float32Array[]): ReadonlyMap<number, Compared>;
}

export interface VectorSearchOptions {
  readonly dimensions: number;
  readonly order: TieOrder;
  readonly rows: Pick<IndexRows, "fineVectors">;
  /** Returns the disk ids of those chunks that exist, in the given order. */
  locate(numbers: readonly number[]): readonly Located[];
}

interface Located {
  readonly number: number;
  readonly id: number;
}

/**
 * Minimum number of chunks that are compared exactly. Among a million vectors, the ten nearest were
 * among the 40 with the nearest coarse vectors. A recall compares 80 in any case.
 */
const MIN_REFINED = 80;

/** A chunk with its vector at full precision. */
interface Refined {
  readonly number: number;
  readonly whole: Float32Array;
  readonly stored: Uint8Array;
}

export const createVectorSearch = ({ dimensions, order, rows, locate }: VectorSearchOptions): VectorSearch => {
  const near = createNear(dimensions, order);
  const comparer = createComparer(dimensions);

  /** Chunks of the last search. A `compare` that follows does not read them again. */
  let last: ReadonlyMap<number, Refined> = new Map();

  const read = (located: readonly Located[]): readonly Refined[] => {
    const stored = rows.fineVectors(located.map(({ id }) => id));
    const wholes = near.restore(located.map(({ number }) => number));
    refine(wholes, stored);
    return located.flatMap(({ number }, at) => {
      const [whole, bytes] = [wholes[at], stored[at]];
      return whole === undefined || bytes === undefined ? [] : [{ number, whole, stored: bytes }];
    });
  };

  return {
    dimensions,
    set(number, vector) {
      last = new Map();
      near.set(number, vector);
    },
    nearest(vector, limit, scope) {
      if (limit === 0) return [];
      const refined = read(locate(near.search(vector, Math.max(limit, MIN_REFINED), scope).map(({ chunk }) => chunk)));
      last = new Map(refined.map((one) => [one.number, one]));
      const best = createBest(limit, order);
      for (const { number, whole } of refined) best.offer(number, dot(whole, vector));
      return best.take();
    },
    compare(numbers, questions) {
      const known = last;
      last = new Map();
      const located = locate(numbers);
      const all = [
        ...located.flatMap(({ number }) => known.get(number) ?? []),
        ...read(located.filter(({ number }) => !known.has(number))),
      ];
      const likenesses = likenessesOf({ all, questions, dimensions, comparer });
      return new Map(all.map(({ number, whole }, at) => [number, { whole, likenesses: likenesses[at] ?? [] }]));
    },
  };
};
