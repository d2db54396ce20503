/** Text that somebody else wrote, made fit for a terminal: what would steer the terminal, or hide what is there, is shown instead. */

/** Control characters but newline and tab, what turns the direction of writing or is made to be invisible, and halves of characters. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

export const safeText = (text: string): string => text.replaceAll("\r\n", "\n").replace(UNSAFE, escape);

/** On one line. */
export const safeLine = (text: string): string => safeText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** JSON that stays the same JSON: what `JSON.stringify` leaves as it is and a terminal would obey is escaped. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSAFE, toUnicodeEscape);

const escape = (character: string): string => {
  if (character === "\r") return "\\r";
  if (character === "\u001b") return "\\e";
  return toUnicodeEscape(character);
};

const toUnicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
