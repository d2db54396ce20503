/**
 * What chunks mean, as vectors: coarse ones of whole chunks in memory, by which the nearest are found, and on the disk all that is finer, read for the few
 * that are looked at closely.
 */
import { createBest, type PlaceOrder } from "../../index/best.ts";
import type { Compared, Scored } from "../../index/chunk-index.ts";
import type { Coarse } from "../../index/coarse.ts";
import { createComparer } from "../../index/comparer.ts";
import { createNear, type NearSight } from "../../index/near.ts";
import { dot } from "../../retrieval/scale.ts";
import type { IndexRows } from "./index-rows.ts";
import { likenessesOf, refine } from "./vector-bytes.ts";

export interface Meanings {
  readonly dimensions: number;
  /** By the chunk's number. What is finer is on the disk by then. */
  set(number: number, vector: Coarse): void;
  /** Throws a RangeError, as `compare` does, when what is on the disk is not what was written. */
  nearest(vector: Float32Array, limit: number, sight: NearSight): readonly Scored[];
  /** Of chunks that have vectors. */
  compare(numbers: readonly number[], questions: readonly Float32Array[]): ReadonlyMap<number, Compared>;
}

export interface MeaningsOptions {
  readonly dimensions: number;
  readonly order: PlaceOrder;
  readonly rows: Pick<IndexRows, "fineVectors">;
  /** The ids on disk of those that are there, in their order. */
  locate(numbers: readonly number[]): readonly Located[];
}

interface Located {
  readonly number: number;
  readonly id: number;
}

/**
 * So many are looked at closely at the least. Of a million, the nearest ten are among the forty that are coarsely nearest; whoever recalls compares twice
 * as many in any case.
 */
const CLOSELY = 80;

/** A chunk as it is looked at closely. */
interface Close {
  readonly number: number;
  readonly whole: Float32Array;
  readonly stored: Uint8Array;
}

export const createMeanings = ({ dimensions, order, rows, locate }: MeaningsOptions): Meanings => {
  const near = createNear(dimensions, order);
  const comparer = createComparer(dimensions);

  /** What the last question brought up: it is compared in full right after. */
  let last: ReadonlyMap<number, Close> = new Map();

  const read = (located: readonly Located[]): readonly Close[] => {
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
    nearest(vector, limit, sight) {
      if (limit === 0) return [];
      const close = read(locate(near.search(vector, Math.max(limit, CLOSELY), sight).map(({ chunk }) => chunk)));
      last = new Map(close.map((one) => [one.number, one]));
      const best = createBest(limit, order);
      for (const { number, whole } of close) best.offer(number, dot(whole, vector));
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
