/** Converts the text of an RTF file. Skips pictures, fonts and other destinations. */
import { tidy } from "../markdown.ts";

/** Groups whose content is not text of the document. */
const SKIPPED = new Set([
  ...["fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "datastore", "listtable"],
  ...["listoverridetable", "rsidtbl", "generator", "xmlnstbl", "latentstyles", "fldinst", "header", "footer"],
]);
const BREAKS: ReadonlyMap<string, string> = new Map([
  ["par", "\n"],
  ["line", "\n"],
  ["row", "\n"],
  ["sect", "\n\n"],
  ["page", "\n\n"],
  ["tab", "\t"],
  ["cell", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
]);
/**
 * Matches a control word with its number, an escaped byte, a control symbol, the border of a group,
 * or text.
 */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/giu;

export const rtfToMarkdown = (bytes: Uint8Array): string => {
  const source = new TextDecoder("latin1").decode(bytes);
  const western = new TextDecoder("windows-1252");
  const pieces: string[] = [];
  /**
   * The number of open groups. `skippedFrom` is the depth of the group that is skipped.
   * `substitutes` is the number of characters to skip after a Unicode character.
   */
  let depth = 0;
  let skippedFrom: number | undefined;
  let substitutes = 1;
  let pending = 0;

  const add = (text: string): void => {
    if (skippedFrom !== undefined) return;
    const skipped = Math.min(pending, text.length);
    pending -= skipped;
    pieces.push(text.slice(skipped));
  };
  const control = (word: string, number: number): void => {
    if (SKIPPED.has(word)) skippedFrom ??= depth;
    else if (word === "uc") substitutes = Math.min(Math.max(number, 0), 8);
    else if (word === "u") {
      pending = 0;
      add(String.fromCharCode(number & 0xffff));
      pending = substitutes;
    } else {
      const text = BREAKS.get(word);
      if (text !== undefined) add(text);
    }
  };

  for (const [, word, number, byte, symbol, brace, text] of source.matchAll(TOKEN)) {
    if (word !== undefined) control(word, Number(number ?? "0"));
    else if (byte !== undefined) add(western.decode(Uint8Array.of(Number.parseInt(byte, 16))));
    else if (symbol === "*") skippedFrom ??= depth;
    else if (symbol !== undefined) add(symbol === "~" ? " " : /[\\{}]/.test(symbol) ? symbol : "");
    else if (brace === "{") depth += 1;
    else if (brace === "}") {
      if (skippedFrom === depth) skippedFrom = undefined;
      depth -= 1;
    } else if (text !== undefined) add(text);
  }
  return tidy(pieces.join("").toWellFormed());
};
