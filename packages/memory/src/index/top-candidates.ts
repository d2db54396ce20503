/**
 * Selects the chunks with the highest estimates: about as many as wanted, plus those nearly equal
 * to the last.
 */
import { createGrowableArray } from "./growing.ts";

export interface TopCandidates {
  add(chunk: number, estimate: number): void;
  /**
   * Returns `wantedCount` or slightly more chunks with the highest estimates, in insertion order,
   * and removes all chunks. The result is valid until the next `add`.
   */
  take(wantedCount: number): Uint32Array;
}

/** Number of histogram buckets for estimates. */
const BUCKET_COUNT = 4096;

export const createTopCandidates = (): TopCandidates => {
  const chunks = createGrowableArray((length) => new Uint32Array(length));
  const estimates = createGrowableArray((length) => new Int32Array(length));
  const bucketSizes = new Uint32Array(BUCKET_COUNT);
  let size = 0;

  /** Returns the lowest bucket to keep. */
  const bucketOf = (wantedCount: number, lowest: number, scale: number): number => {
    const values = estimates.array;
    bucketSizes.fill(0);
    for (let index = 0; index < size; index += 1) {
      const bucket = Math.floor(((values[index] ?? 0) - lowest) * scale);
      bucketSizes[bucket] = (bucketSizes[bucket] ?? 0) + 1;
    }
    let bucket = BUCKET_COUNT - 1;
    for (let sum = bucketSizes[bucket] ?? 0; sum < wantedCount && bucket > 0; sum += bucketSizes[bucket] ?? 0)
      bucket -= 1;
    return bucket;
  };

  return {
    add(chunk, estimate) {
      chunks.reserve(size + 1);
      estimates.reserve(size + 1);
      chunks.array[size] = chunk;
      estimates.array[size] = estimate;
      size += 1;
    },
    take(wantedCount) {
      const [keptChunks, values] = [chunks.array, estimates.array];
      let [lowest, highest] = [Infinity, -Infinity];
      for (let index = 0; index < size; index += 1) {
        lowest = Math.min(lowest, values[index] ?? 0);
        highest = Math.max(highest, values[index] ?? 0);
      }
      const scale = (BUCKET_COUNT - 1) / Math.max(1, highest - lowest);
      const lowestKeptBucket = size <= wantedCount ? 0 : bucketOf(wantedCount, lowest, scale);
      let keptCount = 0;
      for (let index = 0; index < size; index += 1) {
        keptChunks[keptCount] = keptChunks[index] ?? 0;
        if (Math.floor(((values[index] ?? 0) - lowest) * scale) >= lowestKeptBucket) keptCount += 1;
      }
      size = 0;
      return keptChunks.subarray(0, keptCount);
    },
  };
};
