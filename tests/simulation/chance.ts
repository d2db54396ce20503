/** Reproducible randomness: every random choice of a run derives from its seed. */

export interface Chance {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** Returns true with this probability. */
  happens(share: number): boolean;
  /** Picks one of these. */
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Uint8Array;
  /** A separate source from the same seed. Drawing from it does not change this one. */
  branch(name: string): Chance;
}

export const createChance = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    happens: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    bytes: (length) => Uint8Array.from({ length }, () => whole(0, 255)),
    branch: (name) => createChance(seed ^ Bun.hash.crc32(name)),
  };
};
