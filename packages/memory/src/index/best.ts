/** The best few of many, without sorting them all. */
import type { Scored } from "./chunk-index.ts";

export interface Best {
  offer(chunk: number, score: number): void;
  /** Best first. */
  take(): readonly Scored[];
}

/** Which of two chunks stands first where their scores are even. */
export type PlaceOrder = (one: number, other: number) => number;

/** A heap whose root is the worst that is kept. */
export const createBest = (limit: number, order: PlaceOrder): Best => {
  const chunks: number[] = [];
  const scores: number[] = [];

  const isWorse = (one: number, other: number): boolean => {
    const difference = (scores[one] ?? 0) - (scores[other] ?? 0);
    return difference < 0 || (difference === 0 && order(chunks[one] ?? 0, chunks[other] ?? 0) > 0);
  };
  const swap = (one: number, other: number): void => {
    [chunks[one], chunks[other]] = [chunks[other] ?? 0, chunks[one] ?? 0];
    [scores[one], scores[other]] = [scores[other] ?? 0, scores[one] ?? 0];
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < chunks.length && isWorse(child, worst)) worst = child;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  };

  return {
    offer(chunk, score) {
      if (chunks.length < limit) {
        scores.push(score);
        rise(chunks.push(chunk) - 1);
        return;
      }
      const least = scores[0] ?? Infinity;
      if (limit === 0 || score < least || (score === least && order(chunk, chunks[0] ?? 0) > 0)) return;
      chunks[0] = chunk;
      scores[0] = score;
      sink();
    },
    take: () =>
      chunks
        .map((chunk, index) => ({ chunk, score: scores[index] ?? 0 }))
        .sort((one, other) => other.score - one.score || order(one.chunk, other.chunk)),
  };
};
