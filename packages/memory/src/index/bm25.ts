/** BM25 with the constants of SQLite's FTS5. */

const SATURATION = 1.2;
const LENGTH_NORMALIZATION = 0.75;
/** Minimum weight, so that even a term in most chunks counts a little. */
const MIN_IDF = 1e-6;

/** Returns the inverse document frequency of a term that occurs in `count` of `total` chunks. */
export const inverseDocumentFrequency = (count: number, total: number): number =>
  Math.max(MIN_IDF, Math.log((total - count + 0.5) / (count + 0.5)));

/** Returns the BM25 weight of a term that occurs `tenths` / 10 times in a chunk of this length. */
export const bm25Weight = (tenths: number, length: number, meanLength: number): number => {
  const weight = tenths / 10;
  return (
    (weight * (SATURATION + 1)) /
    (weight + SATURATION * (1 - LENGTH_NORMALIZATION + (LENGTH_NORMALIZATION * length) / meanLength))
  );
};
