/**
 * When a cell's files are counted anew. That takes a walk over all of them; what their disk has left is known at once, and a disk that has
 * lost less than the cell may still write was not filled by it, unless somebody else made room there meanwhile.
 */
import type { Clock } from "@hearth/protocol";

export interface Walks {
  /** Whether it is time for one, with so many bytes left on the disk. */
  isDue(free: number): boolean;
  /** One was made: with so many bytes left before it, it found so many of the cell's. */
  made(free: number, bytes: number): void;
}

/** How long a disk may change in small ways before somebody looks. */
export const WALK_MS = 5000;

/** `most` is what the cell may hold. The first walk has been made, and found `bytes`. */
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
