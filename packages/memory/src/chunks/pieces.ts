/**
 * Splits a section into pieces that fit a chunk: whole blocks first, then items or lines, then
 * sentences or words.
 */
import { type Block, isBlank, isItem } from "./blocks.ts";
import { fitsChunk, measure, MOST_BYTES, MOST_TOKENS, type Sizes } from "./tokens.ts";

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
  let open: LineRange | undefined;
  const close = (): void => {
    if (open !== undefined) pieces.push({ text: join(open.first, open.last), lines: [open.first + 1, open.last + 1] });
    open = undefined;
  };
  const take = (part: LineRange, finer: (part: LineRange) => readonly LineRange[]): void => {
    if (open !== undefined && sizes.fits(open.first, part.last)) {
      open = { first: open.first, last: part.last };
      return;
    }
    if (sizes.fits(part.first, part.last)) {
      close();
      open = part;
      return;
    }
    if (part.first === part.last) {
      close();
      for (const text of cutLine(lines[part.first] ?? "")) {
        pieces.push({ text, lines: [part.first + 1, part.first + 1] });
      }
      return;
    }
    for (const inner of finer(part)) take(inner, toLines(lines));
  };
  for (const block of blocks) take(block, block.kind === "list" ? toItems(lines) : toLines(lines));
  close();
  return pieces;
};

const toLines =
  (lines: readonly string[]) =>
  ({ first, last }: LineRange): readonly LineRange[] =>
    Array.from({ length: last - first + 1 }, (_, at) => ({ first: first + at, last: first + at })).filter(
      (part) => !isBlank(lines[part.first] ?? ""),
    );

const toItems =
  (lines: readonly string[]) =>
  ({ first, last }: LineRange): readonly LineRange[] => {
    const starts: number[] = [];
    for (let at = first; at <= last; at += 1) if (at === first || isItem(lines[at] ?? "")) starts.push(at);
    return starts.map((start, at) => ({ first: start, last: endBefore(lines, (starts[at + 1] ?? last + 1) - 1) }));
  };

const endBefore = (lines: readonly string[], at: number): number => {
  let last = at;
  while (last > 0 && isBlank(lines[last] ?? "")) last -= 1;
  return last;
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
    const window = line.slice(from, from + MOST_BYTES);
    const length = window.length === line.length - from && fits(window) ? window.length : lengthThatFits(window);
    const text = window.slice(0, length).trim();
    if (text !== "") texts.push(text);
    from += length;
  }
  return texts;
};

const lengthThatFits = (window: string): number => {
  // A code unit has at most three bytes in UTF-8 and one token, so this many units always fit.
  let [low, high] = [Math.min(MOST_TOKENS, window.length), window.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(window.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  const head = window.slice(0, low);
  const sentence = Math.max(...[". ", "! ", "? ", "。"].map((end) => head.lastIndexOf(end) + end.length));
  if (sentence > low / 2) return sentence;
  const space = head.lastIndexOf(" ") + 1;
  if (space > low / 2) return space;
  // Does not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) && low > 1 ? low - 1 : low;
};
