/** Chance that comes out the same for the same seed. */

export interface Chance {
  /** A whole number from `from` up to, and without, `to`. */
  between(from: number, to: number): number;
  one<Item>(items: readonly Item[]): Item;
}

/** The seed of this run: `HEARTH_SEED`, or a new one. */
export const readSeed = (): number => Number(process.env["HEARTH_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32: small, and even enough to choose moments with. */
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
