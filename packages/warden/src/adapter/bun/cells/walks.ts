/**
 * Decides when to measure a cell's files again. A measurement walks over all files, while the free
 * space of the disk is known at once. If the disk lost less space than the cell may still use, the
 * cell is within its limit, unless another process freed space meanwhile.
 */
import type { Clock } from "@hearth/protocol";

export interface WalkSchedule {
  /** Whether a walk is due, given the free bytes of the disk. */
  isDue(free: number): boolean;
  /** Records a walk: the free bytes of the disk before the walk, and the bytes of the cell. */
  record(free: number, bytes: number): void;
}

/** After this time, any change of the free space makes a walk due. */
export const MAX_WALK_DELAY_MS = 5000;

/** `maxBytes` is the cell's limit. `free` and `bytes` are the results of the first walk. */
export const createWalkSchedule = (options: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly maxBytes: number;
  readonly free: number;
  readonly bytes: number;
}): WalkSchedule => {
  const { clock, maxBytes } = options;
  let lastWalk = { free: options.free, bytes: options.bytes, at: clock.monotonic() };
  return {
    isDue: (free) =>
      free !== lastWalk.free &&
      (lastWalk.free - free >= maxBytes - lastWalk.bytes || clock.monotonic() - lastWalk.at >= MAX_WALK_DELAY_MS),
    record(free, bytes) {
      lastWalk = { free, bytes, at: clock.monotonic() };
    },
  };
};
