/** Facts that a newer one replaced: they stay in their file, struck through, and are never recalled. A person who strikes a line does the same. */

const STRUCK = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)~~(.+)~~(?:\s+\(replaced [^)]*\))?\s*$/;
const ITEM = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)(.*?)\s*$/s;

export const isReplaced = (line: string): boolean => STRUCK.test(line);

export const strike = (line: string, day: string): string => {
  const [, before = "", said = ""] = ITEM.exec(line) ?? [];
  return `${before}~~${said.replaceAll("~~", "~")}~~ (replaced ${day})`;
};

/** As it was before; any other line as it is. */
export const unstrike = (line: string): string => {
  const [, before = "", said] = STRUCK.exec(line) ?? [];
  return said === undefined ? line : before + said;
};
