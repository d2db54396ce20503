/**
 * Recognises replaced facts. They stay in their file, struck through, and are never recalled.
 * People can strike through lines in the same way.
 */

const STRUCK_LINE = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)~~(.+)~~(?:\s+\(replaced [^)]*\))?\s*$/;
const LIST_ITEM = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)(.*?)\s*$/s;

export const isReplaced = (line: string): boolean => STRUCK_LINE.test(line);

export const strike = (line: string, day: string): string => {
  const [, prefix = "", struckText = ""] = LIST_ITEM.exec(line) ?? [];
  return `${prefix}~~${struckText.replaceAll("~~", "~")}~~ (replaced ${day})`;
};

/** Removes the strike-through from a line, and returns any other line unchanged. */
export const unstrike = (line: string): string => {
  const [, prefix = "", struckText] = STRUCK_LINE.exec(line) ?? [];
  return struckText === undefined ? line : prefix + struckText;
};
