/** Parses footnotes, `[^1]` and `[^1]: text`, which the lexer does not know. footnotes.tsx renders them. */
import type { Token, TokenizerExtensionFunction, TokenizerStartFunction } from "marked";

/** The text of a footnote. */
export interface Footnote {
  readonly type: "footnote";
  readonly raw: string;
  readonly label: string;
  readonly tokens: Token[];
}

/** A mark in the text that refers to a footnote. */
export interface FootnoteMark {
  readonly type: "footnoteMark";
  readonly raw: string;
  readonly label: string;
}

const LABEL = String.raw`\[\^([^\s[\]^]{1,64})\]`;
const MARK_PATTERN = new RegExp(`^${LABEL}(?!\\()`);
const START_PATTERN = new RegExp(`^${LABEL}:[ \\t]*`);
/** More characters than the longest start of a footnote. */
const MAX_START = 80;

/** Labels ignore case, as those of links do. */
const labelOf = (rawLabel = ""): string => rawLabel.toLowerCase();

export const lexFootnoteMark: TokenizerExtensionFunction = (source): FootnoteMark | undefined => {
  const [raw, label] = MARK_PATTERN.exec(source) ?? [];
  return raw === undefined ? undefined : { type: "footnoteMark", raw, label: labelOf(label) };
};

/** A footnote continues on the next lines of its paragraph, and in indented paragraphs after it. */
export const lexFootnote: TokenizerExtensionFunction = function (source): Footnote | undefined {
  const [start, label] = START_PATTERN.exec(source) ?? [];
  if (start === undefined) return undefined;
  let end = endOfLine(source, 0);
  let isAfterBlank = false;
  for (let position = end; position < source.length;) {
    const lineEnd = endOfLine(source, position);
    const line = source.slice(position, lineEnd);
    const isBlank = line.trim() === "";
    if (!isBlank && (START_PATTERN.test(line) || (isAfterBlank && !/^(?: {2}|\t)/.test(line)))) break;
    position = lineEnd;
    isAfterBlank = isBlank;
    // The blank lines after a footnote belong to it, as those after other blocks do.
    end = lineEnd;
  }
  const raw = source.slice(0, end);
  const body = raw
    .slice(start.length)
    .replaceAll(/^(?: {1,4}|\t)/gm, "")
    .trimEnd();
  return { type: "footnote", raw, label: labelOf(label), tokens: this.lexer.blockTokens(body, []) };
};

/** Returns the index after the line break of the line at `from`. */
const endOfLine = (source: string, from: number): number => {
  const position = source.indexOf("\n", from);
  return position === -1 ? source.length : position + 1;
};

/** Returns where the next line of a paragraph begins a footnote, because it ends the paragraph. */
export const findFootnote: TokenizerStartFunction = (source) => {
  for (let position = endOfLine(source, 0); position < source.length; position = endOfLine(source, position)) {
    if (source[position] === "[" && START_PATTERN.test(source.slice(position, position + MAX_START))) return position;
    if (/^[ \t]*\n/.test(source.slice(position, position + MAX_START))) return undefined;
  }
  return undefined;
};
