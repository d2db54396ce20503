/**
 * Decides when to count a cell's files again. Counting walks over all files, while the free space
 * of the disk is known at once. A disk that lost less than the cell may still write was not filled
 * by the cell, unless another process freed space meanwhile.
 */
import type { Clock } from "@hearth/protocol";

export interface Walks {
  /** Whether a walk is due, given the free bytes of the disk. */
  isDue(free: number): boolean;
  /** Records a walk: the free bytes before it, and the cell's bytes that it found. */
  made(free: number, bytes: number): void;
}

/** How long small changes of the disk may remain unchecked. */
export const WALK_MS = 5000;

/** `most` is the cell's limit in bytes. The first walk found `bytes`. */
export const createWalks = (options: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly most: number;
  readonly free: number;
  readonly bytes: number;
}): Walks => {
  const { clock, most } = options;
  let last = { free: options.free, bytes: options.bytes, at: clock.monotonic() };
  return {
    isDue: (free) =>
      free !== last.free && (last.free - free >= most - last.bytes || clock.monotonic() - last.at >= WALK_MS),
    made(free, bytes) {
      last = { free, bytes, at: clock.monotonic() };
    },
  };
};
