/**
 * Escapes untrusted text for a terminal, so that it can neither control the terminal nor hide
 * characters.
 */

/**
 * Matches control characters except newline and tab, bidirectional controls, invisible characters
 * and lone surrogates.
 */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

export const safeText = (text: string): string => text.replaceAll("\r\n", "\n").replace(UNSAFE, escape);

/** Escapes text and puts it on one line. */
export const safeLine = (text: string): string => safeText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** Returns JSON in which characters that could control a terminal are escaped. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSAFE, toUnicodeEscape);

const escape = (character: string): string => {
  if (character === "\r") return "\\r";
  if (character === "\u001b") return "\\e";
  return toUnicodeEscape(character);
};

const toUnicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
