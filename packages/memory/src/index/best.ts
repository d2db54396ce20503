/** Keeps the best few of many scored chunks, without sorting all of them. */
import type { ScoredChunk } from "./chunk-index.ts";

export interface BestChunks {
  offer(chunk: number, score: number): void;
  /** Returns the chunks, best first. */
  results(): readonly ScoredChunk[];
}

/** Orders two chunks with equal scores. */
export type TieOrder = (a: number, b: number) => number;

/**
 * Implements a heap whose root is the worst item. An item that moves is written only at its final
 * place, which is faster than swaps.
 */
export const createBestChunks = (limit: number, order: TieOrder): BestChunks => {
  const chunks: number[] = [];
  const scores: number[] = [];

  const isWorse = (chunk: number, score: number, index: number): boolean => {
    const difference = score - (scores[index] ?? 0);
    return difference < 0 || (difference === 0 && order(chunk, chunks[index] ?? 0) > 0);
  };
  const place = (index: number, chunk: number, score: number): void => {
    chunks[index] = chunk;
    scores[index] = score;
  };
  const siftUp = (from: number, chunk: number, score: number): void => {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isWorse(chunk, score, parent)) break;
      place(index, chunks[parent] ?? 0, scores[parent] ?? 0);
      index = parent;
    }
    place(index, chunk, score);
  };
  const siftDown = (chunk: number, score: number): void => {
    const size = chunks.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      const rightChild = child + 1;
      if (rightChild < size && isWorse(chunks[rightChild] ?? 0, scores[rightChild] ?? 0, child)) child = rightChild;
      if (isWorse(chunk, score, child)) break;
      place(index, chunks[child] ?? 0, scores[child] ?? 0);
      index = child;
    }
    place(index, chunk, score);
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
        .sort((a, b) => b.score - a.score || order(a.chunk, b.chunk)),
  };
};
