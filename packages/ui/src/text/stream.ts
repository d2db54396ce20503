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
  let settled: readonly Piece[] = [];
  let settledText = "";

  return {
    read: (text) => {
      const whole = text.replaceAll("\r\n", "\n");
      if (!whole.startsWith(settledText)) {
        settled = [];
        settledText = "";
      }
      const rest = whole.slice(settledText.length);
      const blocks = lexBlocks(mendEnd(rest), settled);
      const all = [...settled, ...blocks];

      const done = blocks.slice(0, findUnsettled(blocks));
      const doneText = done.map(({ raw }) => raw).join("");
      if (rest.startsWith(doneText)) {
        settled = [...settled, ...done];
        settledText += doneText;
      }
      return all;
    },
  };
};

/**
 * Returns the index from which blocks may still change. These are the last two, because a new line
 * may continue the block before it.
 */
const findUnsettled = (blocks: readonly Piece[]): number => {
  const solid = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
  return solid.at(-2) ?? 0;
};

/**
 * Completes the unfinished end of a text, so that the page does not jump: closes open markup, and
 * hides a line that contains only a marker. Code stays unchanged.
 */
export const mendEnd = (text: string): string => {
  if (countOf(text, /^[ \t>]*(?:```|~~~)/gm) % 2 === 1) return text;
  const shown = text.replace(/\n[ \t]*[-=*+#]{1,3}[ \t]*$/, "");
  const start = Math.max(shown.lastIndexOf("\n") + 1, shown.length - limits.runLength);
  return shown.slice(0, start) + mendLine(shown.slice(start));
};

const mendLine = (text: string): string => {
  if (countOf(text, /`/g) % 2 === 1) return text.endsWith("`") ? text.slice(0, -1) : `${text}\``;
  const linked = text.replace(/!?\[([^[\]\n]*)\]\([^()\s]*$/, "$1");
  if (countOf(linked, /\*\*/g) % 2 === 0) return linked;
  const open = linked.trimEnd();
  if (open.endsWith("**")) return open.slice(0, -2);
  return `${open}${open.endsWith("*") ? "*" : "**"}`;
};

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
