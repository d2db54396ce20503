/**
 * The soul guard decides which files define an agent, and which changes to them need a person. It
 * compares with the last version that a person approved, so that many small changes count as one
 * large change.
 */
import { countChanged, diffLines } from "./diff.ts";
import { bareLine, splitLines } from "./lines.ts";
import { foldPath } from "./path.ts";

const SOUL_FILES: readonly string[] = [
  "soul.md",
  "identity.md",
  "agents.md",
  "tools.md",
  "heartbeat.md",
  "bootstrap.md",
];
/** Other files that direct the agent: the jobs that wake it and the skills that it follows. */
const DIRECTIVE_FILES: readonly string[] = ["cron/jobs.toml"];

/** Whether a change of the file in a tainted turn becomes a proposal. */
export const isGuarded = (path: string): boolean => {
  const folded = foldPath(path);
  return isSoul(path) || DIRECTIVE_FILES.includes(folded) || folded.startsWith("skills/");
};

/**
 * Whether approved versions of the file are kept, and a change that goes too far halts the agent.
 */
export const isSoul = (path: string): boolean => {
  const folded = foldPath(path);
  return SOUL_FILES.includes(folded) || folded.startsWith("instructions/");
};

/** Maximum share of changed lines in both texts together. */
const MAX_SHARE = 0.3;

/**
 * Returns the reason why a change goes too far, or undefined. `before` is the last approved text.
 * Blank lines do not count. With `isFirstRun`, a new agent writes its persona, and only boundary
 * lines count.
 */
export const excessiveChangeReason = (
  before: string | undefined,
  after: string | undefined,
  { isFirstRun }: { readonly isFirstRun: boolean },
): string | undefined => {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const changedBoundaries = boundariesOf(before, after);
  if (changedBoundaries.length > 0)
    return `It changes a boundary: ${JSON.stringify(shorten(changedBoundaries[0] ?? ""))}.`;
  // A new or formerly empty file removes nothing that was approved.
  if (oldLines.length === 0 || isFirstRun) return undefined;
  const { removed, added } = countChanged(diffLines(oldLines, newLines));
  const share = (removed + added) / Math.max(1, oldLines.length + newLines.length);
  if (share <= MAX_SHARE) return undefined;
  return `It changes ${Math.round(share * 100)} % of the lines; more than ${MAX_SHARE * 100} % needs approval.`;
};

const linesOf = (text: string | undefined): readonly string[] =>
  splitLines(text ?? "")
    .map((line) => bareLine(line).trim())
    .filter((line) => line !== "");

/** Matches words that mark a boundary. */
const BOUNDARY_WORDS =
  /\b(never|always|must|shall|do not|don['’]t|may not|not allowed|forbidden|refuse|only if|under no)\b/i;
const HEADING = /^#{1,6}\s+(.*)$/;
const BINDING_HEADING = /\b(boundar(y|ies)|limits?|rules?|constraints?|safety|permissions?)\b/i;

/** Returns the boundary lines that one text has more often than the other. */
const boundariesOf = (before: string | undefined, after: string | undefined): readonly string[] => {
  const [oldLines, newLines] = [findBoundaries(before), findBoundaries(after)];
  return [...surplusLines(oldLines, newLines), ...surplusLines(newLines, oldLines)];
};

/**
 * Returns lines with a boundary word, and all lines below a heading with such a word, up to the
 * next heading of the same level.
 */
const findBoundaries = (text: string | undefined): readonly string[] => {
  const boundaryLines: string[] = [];
  let headingRank: number | undefined;
  for (const line of linesOf(text)) {
    const [, title] = HEADING.exec(line) ?? [];
    const rank = title === undefined ? undefined : line.indexOf(" ");
    if (rank !== undefined && headingRank !== undefined && rank <= headingRank) headingRank = undefined;
    if (rank !== undefined && BINDING_HEADING.test(title ?? "")) headingRank ??= rank;
    if (headingRank !== undefined || BOUNDARY_WORDS.test(line)) boundaryLines.push(line);
  }
  return boundaryLines;
};

const surplusLines = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const unmatchedLines = [...others];
  return lines.filter((line) => {
    const index = unmatchedLines.indexOf(line);
    if (index < 0) return true;
    unmatchedLines.splice(index, 1);
    return false;
  });
};

const shorten = (line: string): string => (line.length > 100 ? `${line.slice(0, 100).toWellFormed()}…` : line);
