/** Extracts facts from lines, and recognises a fact in a line. */

/** Matches the prefix that `remember` writes: date and source. */
export const FACT_PREFIX = /^- \d{4}-\d{2}-\d{2}, [^:]*: /;
/** Matches a line or a range of lines of a file: `MEMORY.md:12`, `MEMORY.md:12-14`. */
export const LINE_REFERENCE = /^(.+):(\d+)(?:-(\d+))?$/;
/** Minimum length of a quote that is specific enough. */
const MIN_QUOTE_LENGTH = 20;

export const collapseSpaces = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Returns the fact of a line, without date and source. */
export const extractFact = (line: string): string =>
  collapseSpaces(line.replace(FACT_PREFIX, "").replace(/^\s*[-*+] /, ""));

/** Whether a line holds that fact, directly or quoted in a daily log. */
export const containsFact = (line: string, fact: string): boolean =>
  extractFact(line) === fact || (fact.length >= MIN_QUOTE_LENGTH && collapseSpaces(line).includes(fact));
