/** BM25 with the constants of SQLite's FTS5. */

const SATURATION = 1.2;
const LENGTH = 0.75;
/** Minimum weight, so that even a term in most chunks counts a little. */
const MIN_RARITY = 1e-6;

/** Inverse document frequency of a term that occurs in `count` of `total` chunks. */
export const rarity = (count: number, total: number): number =>
  Math.max(MIN_RARITY, Math.log((total - count + 0.5) / (count + 0.5)));

/** BM25 term weight for an occurrence count in tenths, in a chunk of that length. */
export const worth = (tenths: number, length: number, meanLength: number): number => {
  const weight = tenths / 10;
  return (weight * (SATURATION + 1)) / (weight + SATURATION * (1 - LENGTH + (LENGTH * length) / meanLength));
};
