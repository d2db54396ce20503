/** Reads a text that grows: what is complete is read once and keeps its identity, so that only the end is drawn again. */
import { lexBlocks, limits, type Piece } from "./lex.ts";

export interface GrowingText {
  /** The blocks of the text so far. Blocks of an earlier answer that still hold are the same objects. */
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

/** The last two blocks may still change: a line that has only begun may turn out to continue the block before it. */
const findUnsettled = (blocks: readonly Piece[]): number => {
  const solid = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
  return solid.at(-2) ?? 0;
};

/**
 * Guesses how the text goes on, so that it does not jump when it does: what is open is closed, and a line that is only a
 * mark so far is not shown yet. Never within code.
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

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;
