/** Keeps the best few of many scored chunks, without sorting all of them. */
import type { ScoredChunk } from "./chunk-index.ts";

export interface BestChunks {
  offer(chunk: number, score: number): void;
  /** Returns the chunks, best first. */
  results(): readonly ScoredChunk[];
}

/** Orders two chunks with equal scores. */
export type TieOrder = (one: number, other: number) => number;

/**
 * Implements a heap whose root is the worst item. An item that moves is written only at its final
 * place, which is faster than swaps.
 */
export const createBestChunks = (limit: number, order: TieOrder): BestChunks => {
  const chunks: number[] = [];
  const scores: number[] = [];

  const isWorse = (chunk: number, score: number, at: number): boolean => {
    const difference = score - (scores[at] ?? 0);
    return difference < 0 || (difference === 0 && order(chunk, chunks[at] ?? 0) > 0);
  };
  const place = (at: number, chunk: number, score: number): void => {
    chunks[at] = chunk;
    scores[at] = score;
  };
  const siftUp = (from: number, chunk: number, score: number): void => {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(chunk, score, parent)) break;
      place(at, chunks[parent] ?? 0, scores[parent] ?? 0);
      at = parent;
    }
    place(at, chunk, score);
  };
  const siftDown = (chunk: number, score: number): void => {
    const size = chunks.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const next = child + 1;
      if (next < size && isWorse(chunks[next] ?? 0, scores[next] ?? 0, child)) child = next;
      if (isWorse(chunk, score, child)) break;
      place(at, chunks[child] ?? 0, scores[child] ?? 0);
      at = child;
    }
    place(at, chunk, score);
  };

  return {
    offer(chunk, score) {
      if (chunks.length < limit) return siftUp(chunks.length, chunk, score);
      const worst = scores[0] ?? Infinity;
      if (limit === 0 || score < worst || (score === worst && order(chunk, chunks[0] ?? 0) >= 0)) return;
      siftDown(chunk, score);
    },
    results: () =>
      chunks
        .map((chunk, index) => ({ chunk, score: scores[index] ?? 0 }))
        .sort((one, other) => other.score - one.score || order(one.chunk, other.chunk)),
  };
};
