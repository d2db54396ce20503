/** Splits the lines of a Markdown file into blocks, which chunks keep together. Ignores inline marks. */

export type BlockKind = "heading" | "fence" | "table" | "list" | "text" | "front-matter";

export interface Block {
  readonly kind: BlockKind;
  /** First and last line, counted from 0. Blank lines belong to no block. */
  readonly first: number;
  readonly last: number;
  /** The level of a heading from 1 to 6, and its text. Both are undefined for other blocks. */
  readonly level?: number;
  readonly title?: string;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)\S/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

export const isBlank = (line: string): boolean => line.trim() === "";

/** Whether the line starts an item of the outermost list, where a list may be split. */
export const isItem = (line: string): boolean => ITEM.test(line) && !/^(?: {2,}|\t)/.test(line);

/** Maximum length of a heading. It keeps the regular expressions fast on lines of several megabytes. */
const MAX_HEADING_LENGTH = 1000;

const matchHeading = (line: string): RegExpExecArray | null =>
  line.length > MAX_HEADING_LENGTH ? null : ATX.exec(line);

/** Returns the blocks in order. Every line that is not blank is in exactly one of them. */
export const toBlocks = (lines: readonly string[]): readonly Block[] => {
  const blocks: Block[] = [];
  let lineIndex = 0;
  const frontMatterEnd = endOfFrontMatter(lines);
  if (frontMatterEnd !== undefined) {
    blocks.push({ kind: "front-matter", first: 0, last: frontMatterEnd });
    lineIndex = frontMatterEnd + 1;
  }
  while (lineIndex < lines.length) {
    if (isBlank(lines[lineIndex] ?? "")) {
      lineIndex += 1;
      continue;
    }
    const block = readBlock(lines, lineIndex);
    blocks.push(block);
    lineIndex = block.last + 1;
  }
  return blocks;
};

const readBlock = (lines: readonly string[], first: number): Block => {
  const line = lines[first] ?? "";
  const atx = matchHeading(line);
  if (atx !== null) {
    return { kind: "heading", first, last: first, level: atx[1]?.length ?? 1, title: (atx[2] ?? "").trim() };
  }
  const fence = readFence(line);
  if (fence !== undefined) return { kind: "fence", first, last: endOfFence(lines, first, fence) };
  if (line.trimStart().startsWith("|")) {
    return { kind: "table", first, last: lastWhile(lines, first, (nextLine) => nextLine.trimStart().startsWith("|")) };
  }
  if (ITEM.test(line)) return { kind: "list", first, last: endOfList(lines, first) };
  return readParagraph(lines, first);
};

/** Reads a paragraph, or a heading that is marked by an underline. */
const readParagraph = (lines: readonly string[], first: number): Block => {
  let last = first;
  while (last + 1 < lines.length) {
    const nextLine = lines[last + 1] ?? "";
    const underline = UNDERLINE.exec(nextLine)?.[1];
    if (underline !== undefined) {
      const title = lines
        .slice(first, last + 1)
        .join(" ")
        .trim();
      return { kind: "heading", first, last: last + 1, level: underline.startsWith("=") ? 1 : 2, title };
    }
    const startsBlock = matchHeading(nextLine) !== null || readFence(nextLine) !== undefined || ITEM.test(nextLine);
    if (isBlank(nextLine) || startsBlock) break;
    last += 1;
  }
  return { kind: "text", first, last };
};

const readFence = (line: string): string | undefined => {
  const match = FENCE.exec(line);
  const [mark, info] = [match?.[1], match?.[2] ?? ""];
  // A line with another backtick after its first ones is inline code.
  return mark === undefined || (mark.startsWith("`") && info.includes("`")) ? undefined : mark;
};

/** Returns the last line of a fenced block. An unclosed fence extends to the end of the file. */
const endOfFence = (lines: readonly string[], first: number, mark: string): number => {
  for (let lineIndex = first + 1; lineIndex < lines.length; lineIndex += 1) {
    const match = FENCE.exec(lines[lineIndex] ?? "");
    const closingMark = match?.[1];
    if (closingMark !== undefined && closingMark.startsWith(mark) && isBlank(match?.[2] ?? "")) return lineIndex;
  }
  return lines.length - 1;
};

/**
 * Returns the last line of a list, which consists of items, indented text below them, and blank
 * lines in between.
 */
const endOfList = (lines: readonly string[], first: number): number => {
  let last = first;
  for (let lineIndex = first + 1; lineIndex < lines.length; lineIndex += 1) {
    const line = lines[lineIndex] ?? "";
    if (isBlank(line)) {
      const nextLine = lines[lineIndex + 1] ?? "";
      if (!ITEM.test(nextLine) && !INDENTED.test(nextLine)) break;
      continue;
    }
    const isContinuation = ITEM.test(line) || INDENTED.test(line) || lineIndex === last + 1;
    if (!isContinuation || matchHeading(line) !== null || (readFence(line) !== undefined && !INDENTED.test(line)))
      break;
    last = lineIndex;
  }
  return last;
};

const lastWhile = (lines: readonly string[], first: number, matches: (line: string) => boolean): number => {
  let last = first;
  while (last + 1 < lines.length && matches(lines[last + 1] ?? "")) last += 1;
  return last;
};

const endOfFrontMatter = (lines: readonly string[]): number | undefined => {
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  return end > 0 && lines.slice(1, end).every((line) => isBlank(line) || /^\s|^[\w-]+\s*:|^#|^- /.test(line))
    ? end
    : undefined;
};
