/** Parses formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Amounts of money stay text. math.tsx renders formulas. */
import type { TokenizerExtensionFunction, TokenizerStartFunction } from "marked";

/** A formula in TeX. */
export interface Formula {
  readonly type: "formula";
  readonly raw: string;
  readonly tex: string;
  /** Whether it is a block between paragraphs. */
  readonly isDisplay: boolean;
}

/** Longer formulas stay text. */
const MAX_INLINE_LENGTH = 1000;
const MAX_DISPLAY_LENGTH = 5000;
/** Maximum number of formulas per text. Later ones stay text, because each takes time to draw. */
export const MAX_FORMULAS = 300;

const DISPLAY = /^ {0,3}(?:\$\$([^$]+)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/;
const DISPLAY_START = /\n {0,3}(?:\$\$|\\\[)/g;
const PARENTHESES = /^\\\(((?:[^\\\n]|\\[^)\n])+)\\\)/;
const BRACKETS = /^\\\[((?:[^\\\n]|\\[^\]\n])+)\\\]/;
const DOUBLE_DOLLARS = /^\$\$([^$\n]+)\$\$/;
/** No space after the first dollar or before the last, and no digit after the last. */
const SINGLE_DOLLARS = /^\$(?![\s$])((?:[^$\\\n]|\\[^\n])+)\$(?![\d$])/;

export interface MathLexer {
  readonly lexDisplay: TokenizerExtensionFunction;
  readonly findDisplay: TokenizerStartFunction;
  readonly lexFormula: TokenizerExtensionFunction;
  readonly findFormula: TokenizerStartFunction;
}

/** Creates the extensions for one text. */
export const createMathLexer = (): MathLexer => {
  let count = 0;
  const toFormula = (raw: string, tex: string, isDisplay: boolean): Formula | undefined => {
    if (count >= MAX_FORMULAS || tex.trim() === "") return undefined;
    count += 1;
    return { type: "formula", raw, tex: tex.trim(), isDisplay };
  };
  return {
    lexDisplay(source) {
      const [raw, dollars, brackets] = DISPLAY.exec(source.slice(0, MAX_DISPLAY_LENGTH)) ?? [];
      return raw === undefined ? undefined : toFormula(raw, dollars ?? brackets ?? "", true);
    },

    // Only a complete formula ends a paragraph: each end costs a scan of the text.
    findDisplay: (source) => {
      if (count >= MAX_FORMULAS) return undefined;
      for (const { index } of source.matchAll(DISPLAY_START))
        if (DISPLAY.test(source.slice(index + 1, index + 1 + MAX_DISPLAY_LENGTH))) return index + 1;
      return undefined;
    },

    lexFormula(source) {
      const start = source.slice(0, MAX_INLINE_LENGTH);
      const [display, displayTex = ""] = DOUBLE_DOLLARS.exec(start) ?? BRACKETS.exec(start) ?? [];
      if (display !== undefined) return toFormula(display, displayTex, true);
      const [match, tex = ""] = PARENTHESES.exec(start) ?? [];
      if (match !== undefined) return toFormula(match, tex, false);
      const [raw, innerTex = ""] = SINGLE_DOLLARS.exec(start) ?? [];
      if (raw === undefined || /\s$/.test(innerTex) || isMoney(innerTex)) return undefined;
      return toFormula(raw, innerTex, false);
    },

    findFormula: (source) => {
      // A dollar after a letter or a digit begins no formula: US$5.
      const index = source.search(/(?<![\p{L}\p{N}\\])\$|\\[([]/u);
      return index === -1 ? undefined : index;
    },
  };
};

/** Whether the text between two dollars is the rest of a sentence about money: `5 and US`. */
const isMoney = (text: string): boolean =>
  /^[\d.,]+(?:\s?[kKmMbB]\b)?(?:[\s–-].*[\p{L}]{2}|[\s,;/–-]*$)/u.test(text) &&
  !/[\\^_=]/.test(text) &&
  !/^\d+$/.test(text);
