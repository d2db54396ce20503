/** BM25, with the constants that SQLite has. */

const SATURATION = 1.2;
const LENGTH = 0.75;
/** What a term that stands in most chunks still says: that it is there. */
const LEAST = 1e-6;

/** What it says about a chunk that a term stands in it, when it does in `count` of `total`. */
export const rarity = (count: number, total: number): number =>
  Math.max(LEAST, Math.log((total - count + 0.5) / (count + 0.5)));

/** What so many tenths of an occurrence are worth in a chunk of that length. */
export const worth = (tenths: number, length: number, meanLength: number): number => {
  const weight = tenths / 10;
  return (weight * (SATURATION + 1)) / (weight + SATURATION * (1 - LENGTH + (LENGTH * length) / meanLength));
};
