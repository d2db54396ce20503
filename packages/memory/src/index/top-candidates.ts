/**
 * Selects the chunks with the highest estimates: about as many as wanted, plus those nearly equal
 * to the last.
 */
import { createGrowableArray } from "./growing.ts";

export interface TopCandidates {
  add(chunk: number, estimate: number): void;
  /**
   * Returns `wanted` or slightly more chunks with the highest estimates, in insertion order, and
   * empties the sieve. Valid until the next `add`.
   */
  take(wanted: number): Uint32Array;
}

/** Number of histogram buckets for estimates. */
const BUCKETS = 4096;

export const createTopCandidates = (): TopCandidates => {
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const estimates = createGrowableArray((length) => new Int32Array(length));
  const numbers = new Uint32Array(BUCKETS);
  let size = 0;

  /** Returns the lowest bucket to keep. */
  const bucketOf = (wanted: number, least: number, scale: number): number => {
    const all = estimates.array;
    numbers.fill(0);
    for (let at = 0; at < size; at += 1) {
      const step = Math.floor(((all[at] ?? 0) - least) * scale);
      numbers[step] = (numbers[step] ?? 0) + 1;
    }
    let step = BUCKETS - 1;
    for (let sum = numbers[step] ?? 0; sum < wanted && step > 0; sum += numbers[step] ?? 0) step -= 1;
    return step;
  };

  return {
    add(chunk, estimate) {
      chunks.reserve(size + 1);
      estimates.reserve(size + 1);
      chunks.array[size] = chunk;
      estimates.array[size] = estimate;
      size += 1;
    },
    take(wanted) {
      const [of, all] = [chunks.array, estimates.array];
      let [least, most] = [Infinity, -Infinity];
      for (let at = 0; at < size; at += 1) {
        least = Math.min(least, all[at] ?? 0);
        most = Math.max(most, all[at] ?? 0);
      }
      const scale = (BUCKETS - 1) / Math.max(1, most - least);
      const from = size <= wanted ? 0 : bucketOf(wanted, least, scale);
      let kept = 0;
      for (let at = 0; at < size; at += 1) {
        of[kept] = of[at] ?? 0;
        if (Math.floor(((all[at] ?? 0) - least) * scale) >= from) kept += 1;
      }
      size = 0;
      return of.subarray(0, kept);
    },
  };
};
