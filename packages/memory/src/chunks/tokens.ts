/**
 * Estimates the number of tokens of a text without a model's vocabulary. The estimate is more often
 * too high than too low.
 */

export const MAX_CHUNK_TOKENS = 400;
export const MAX_CHUNK_BYTES = 2048;

/** Average letters per token, with a margin. */
const LETTERS_PER_TOKEN = 5;
const DIGITS_PER_TOKEN = 3;

export interface Size {
  /** Number of bytes in UTF-8. A lone surrogate counts as the three bytes of its replacement character. */
  readonly bytes: number;
  /** Number of word pieces, groups of digits, and other characters. */
  readonly tokens: number;
}

/** Measures a text in one pass. The sizes of lines add up. A newline adds one byte and no token. */
export const measure = (text: string): Size => {
  let [bytes, tokens, letters, digits] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    const isDigit = code >= 48 && code <= 57;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    letters = isLetter ? letters + 1 : 0;
    digits = isDigit ? digits + 1 : 0;
    if (isLetter) tokens += letters % LETTERS_PER_TOKEN === 1 ? 1 : 0;
    else if (isDigit) tokens += digits % DIGITS_PER_TOKEN === 1 ? 1 : 0;
    else if (code > 32) tokens += 1;
    // A surrogate pair has four bytes and is one token.
    if (isHigh(code) && isLow(text.charCodeAt(index + 1))) {
      bytes += 1;
      index += 1;
    }
  }
  return { bytes, tokens };
};

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

export const fitsChunk = ({ bytes, tokens }: Size): boolean => bytes <= MAX_CHUNK_BYTES && tokens <= MAX_CHUNK_TOKENS;

/** Measures ranges of lines. Measures each line once. */
export interface Sizes {
  /** Whether the lines from `first` to `last`, inclusive, fit a chunk. */
  fits(first: number, last: number): boolean;
}

export const createSizes = (lines: readonly string[]): Sizes => {
  const bytes = new Float64Array(lines.length + 1);
  const tokens = new Float64Array(lines.length + 1);
  for (const [at, line] of lines.entries()) {
    const size = measure(line);
    bytes[at + 1] = (bytes[at] ?? 0) + size.bytes;
    tokens[at + 1] = (tokens[at] ?? 0) + size.tokens;
  }
  const sumBetween = (sums: Float64Array, first: number, last: number): number =>
    (sums[last + 1] ?? 0) - (sums[first] ?? 0);
  return {
    fits: (first, last) =>
      fitsChunk({ bytes: sumBetween(bytes, first, last) + last - first, tokens: sumBetween(tokens, first, last) }),
  };
};
