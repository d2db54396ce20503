/** Joins texts into pieces of a suitable size for sending. */

/**
 * Approximate maximum length of a piece, in UTF-16 code units. A longer single text is one piece.
 */
const MAX_PIECE_LENGTH = 256 * 1024;

export const toBatches = (texts: readonly string[]): readonly (readonly string[])[] => {
  const pieces: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (length + text.length > MAX_PIECE_LENGTH) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(text);
    length += text.length;
  }
  return pieces;
};
