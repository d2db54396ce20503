/** Reproducible randomness from a seed. */

export interface Chance {
  /** A whole number from `from` to below `to`. */
  between(from: number, to: number): number;
  one<Item>(items: readonly Item[]): Item;
}

/** The seed of this run: `HEARTH_SEED`, or a new one. */
export const readSeed = (): number => Number(process.env["HEARTH_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32, which is even enough to choose moments. */
export const createChance = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  return { between, one: (items) => items[between(0, items.length)]! };
};
