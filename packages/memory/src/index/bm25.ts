/** BM25 with the constants of SQLite's FTS5. */

const SATURATION = 1.2;
const LENGTH = 0.75;
/** Minimum weight, so that even a term in most chunks counts a little. */
const MIN_RARITY = 1e-6;

/** Returns the inverse document frequency of a term that occurs in `count` of `total` chunks. */
export const rarity = (count: number, total: number): number =>
  Math.max(MIN_RARITY, Math.log((total - count + 0.5) / (count + 0.5)));

/** Returns the BM25 weight of a term that occurs `tenths` / 10 times in a chunk of this length. */
export const worth = (tenths: number, length: number, meanLength: number): number => {
  const weight = tenths / 10;
  return (weight * (SATURATION + 1)) / (weight + SATURATION * (1 - LENGTH + (LENGTH * length) / meanLength));
};
