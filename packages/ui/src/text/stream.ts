/**
 * Parses a growing text incrementally: complete blocks keep their identity, so that only the end
 * renders again.
 */
import { lexBlocks, limits, type Piece } from "./lex.ts";

export interface GrowingText {
  /** The blocks of the text so far. Unchanged blocks are the same objects as before. */
  read(text: string): readonly Piece[];
}

export const createGrowingText = (): GrowingText => {
  let settledBlocks: readonly Piece[] = [];
  let settledText = "";

  return {
    read: (text) => {
      const normalizedText = text.replaceAll("\r\n", "\n");
      if (!normalizedText.startsWith(settledText)) {
        settledBlocks = [];
        settledText = "";
      }
      const openText = normalizedText.slice(settledText.length);
      const blocks = lexBlocks(completeEnd(openText), settledBlocks);
      const allBlocks = [...settledBlocks, ...blocks];

      const newBlocks = blocks.slice(0, findFirstOpenIndex(blocks));
      const newText = newBlocks.map(({ raw }) => raw).join("");
      if (openText.startsWith(newText)) {
        settledBlocks = [...settledBlocks, ...newBlocks];
        settledText += newText;
      }
      return allBlocks;
    },
  };
};

/**
 * Returns the index from which blocks may still change. These are the last two, because a new line
 * may continue the block before it.
 */
const findFirstOpenIndex = (blocks: readonly Piece[]): number => {
  const contentIndexes = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
  return contentIndexes.at(-2) ?? 0;
};

/**
 * Completes the unfinished end of a text, so that the page does not jump: closes open markup, and
 * hides a line that contains only a marker. Code stays unchanged.
 */
export const completeEnd = (text: string): string => {
  if (countMatches(text, /^[ \t>]*(?:```|~~~)/gm) % 2 === 1) return text;
  const visibleText = text.replace(/\n[ \t]*[-=*+#]{1,3}[ \t]*$/, "");
  const start = Math.max(visibleText.lastIndexOf("\n") + 1, visibleText.length - limits.runLength);
  return visibleText.slice(0, start) + completeLine(visibleText.slice(start));
};

const completeLine = (text: string): string => {
  if (countMatches(text, /`/g) % 2 === 1) return text.endsWith("`") ? text.slice(0, -1) : `${text}\``;
  const textWithLinks = text.replace(/!?\[([^[\]\n]*)\]\([^()\s]*$/, "$1");
  if (countMatches(textWithLinks, /\*\*/g) % 2 === 0) return textWithLinks;
  const trimmedText = textWithLinks.trimEnd();
  if (trimmedText.endsWith("**")) return trimmedText.slice(0, -2);
  return `${trimmedText}${trimmedText.endsWith("*") ? "*" : "**"}`;
};

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
