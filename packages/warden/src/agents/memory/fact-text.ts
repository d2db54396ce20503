/** Facts as lines have them, and how one is known again. Pure. */

/** As `remember` writes a line: when and from whom, then the fact. */
export const NOTED = /^- \d{4}-\d{2}-\d{2}, [^:]*: /;
/** A line of a file, or some that follow each other: `MEMORY.md:12`, `MEMORY.md:12-14`. */
export const PLACE = /^(.+):(\d+)(?:-(\d+))?$/;
/** What is shorter may be anybody's words. */
const MIN_QUOTED = 20;

export const squash = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Without when and from whom. */
export const factIn = (line: string): string => squash(line.replace(NOTED, "").replace(/^\s*[-*+] /, ""));

/** Whether a line says that fact, as itself or as a day's log tells how it was said. */
export const says = (line: string, fact: string): boolean =>
  factIn(line) === fact || (fact.length >= MIN_QUOTED && squash(line).includes(fact));
