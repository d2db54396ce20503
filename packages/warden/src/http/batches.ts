/** Texts put together until a piece is large enough to be worth sending, so that no piece is larger than it must be. */

/** About how long a piece may get, in UTF-16 code units. One text alone may be longer. */
const MAX_PIECE = 256 * 1024;

export const toBatches = (texts: readonly string[]): readonly (readonly string[])[] => {
  const pieces: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (length + text.length > MAX_PIECE) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(text);
    length += text.length;
  }
  return pieces;
};
