/**
 * Splits a section into pieces that fit a chunk: whole blocks first, then items or lines, then
 * sentences or words.
 */
import { type Block, isBlank, isItem } from "./blocks.ts";
import { fitsChunk, measure, MAX_CHUNK_BYTES, MAX_CHUNK_TOKENS, type Sizes } from "./tokens.ts";

export interface Piece {
  readonly text: string;
  /** First and last line, counted from 1. */
  readonly lines: readonly [first: number, last: number];
}

/** A range of lines that stays together if it fits. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the pieces in order. Together they contain every line that is not blank. */
export const toPieces = (lines: readonly string[], sizes: Sizes, blocks: readonly Block[]): readonly Piece[] => {
  const join = (first: number, last: number): string => lines.slice(first, last + 1).join("\n");
  const pieces: Piece[] = [];
  let current: LineRange | undefined;
  const closeCurrent = (): void => {
    if (current !== undefined)
      pieces.push({ text: join(current.first, current.last), lines: [current.first + 1, current.last + 1] });
    current = undefined;
  };
  const addRange = (part: LineRange, splitRange: (part: LineRange) => readonly LineRange[]): void => {
    if (current !== undefined && sizes.fits(current.first, part.last)) {
      current = { first: current.first, last: part.last };
      return;
    }
    if (sizes.fits(part.first, part.last)) {
      closeCurrent();
      current = part;
      return;
    }
    if (part.first === part.last) {
      closeCurrent();
      for (const text of cutLine(lines[part.first] ?? "")) {
        pieces.push({ text, lines: [part.first + 1, part.first + 1] });
      }
      return;
    }
    for (const inner of splitRange(part)) addRange(inner, toLines(lines));
  };
  for (const block of blocks) addRange(block, block.kind === "list" ? toItems(lines) : toLines(lines));
  closeCurrent();
  return pieces;
};

const toLines =
  (lines: readonly string[]) =>
  ({ first, last }: LineRange): readonly LineRange[] =>
    Array.from({ length: last - first + 1 }, (_, index) => ({ first: first + index, last: first + index })).filter(
      (part) => !isBlank(lines[part.first] ?? ""),
    );

const toItems =
  (lines: readonly string[]) =>
  ({ first, last }: LineRange): readonly LineRange[] => {
    const starts: number[] = [];
    for (let line = first; line <= last; line += 1) if (line === first || isItem(lines[line] ?? "")) starts.push(line);
    return starts.map((start, index) => ({
      first: start,
      last: skipBlankLines(lines, (starts[index + 1] ?? last + 1) - 1),
    }));
  };

/** Returns the last line up to `end` that is not blank. */
const skipBlankLines = (lines: readonly string[], end: number): number => {
  let line = end;
  while (line > 0 && isBlank(lines[line] ?? "")) line -= 1;
  return line;
};

const fits = (text: string): boolean => fitsChunk(measure(text));

/**
 * Splits a line at the last end of a sentence that fits, or else at a space, or else between two
 * characters.
 */
const cutLine = (line: string): readonly string[] => {
  const texts: string[] = [];
  let from = 0;
  while (from < line.length) {
    const window = line.slice(from, from + MAX_CHUNK_BYTES);
    const length = window.length === line.length - from && fits(window) ? window.length : findFittingLength(window);
    const text = window.slice(0, length).trim();
    if (text !== "") texts.push(text);
    from += length;
  }
  return texts;
};

const findFittingLength = (window: string): number => {
  // A code unit has at most three bytes in UTF-8 and one token, so this many units always fit.
  let [low, high] = [Math.min(MAX_CHUNK_TOKENS, window.length), window.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(window.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  const head = window.slice(0, low);
  const sentenceEnd = Math.max(...[". ", "! ", "? ", "。"].map((end) => head.lastIndexOf(end) + end.length));
  if (sentenceEnd > low / 2) return sentenceEnd;
  const wordEnd = head.lastIndexOf(" ") + 1;
  if (wordEnd > low / 2) return wordEnd;
  // The cut must not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) && low > 1 ? low - 1 : low;
};
