/**
 * The soul guard: which files say what an agent is and obeys, and which change of one is more than it may make by itself. What counts is the
 * version that a person approved last: many small steps are one large one.
 */
import { countChanged, diffLines } from "./diff.ts";
import { bareLine, splitLines } from "./lines.ts";
import { foldPath } from "./path.ts";

const SOULS: readonly string[] = [
  ...["soul.md", "identity.md", "agents.md", "tools.md", "heartbeat.md"],
  ...["bootstrap.md"],
];
/** What it obeys beside: jobs that wake it, skills that it follows. */
const ORDERS: readonly string[] = ["cron/jobs.toml"];

/** A change in a turn that holds a stranger's text is a proposal. */
export const isGuarded = (path: string): boolean => {
  const folded = foldPath(path);
  return isSoul(path) || ORDERS.includes(folded) || folded.startsWith("skills/");
};

/** Of these the versions that a person approved are kept, and a change that goes too far halts the agent. */
export const isSoul = (path: string): boolean => {
  const folded = foldPath(path);
  return SOULS.includes(folded) || folded.startsWith("instructions/");
};

/** Share of the lines that may be others, of both texts together. */
const MAX_SHARE = 0.3;

/**
 * Why a change of such a file goes too far, or nothing. `before` is what a person approved. Lines in which nothing is said do not count.
 * With `fills` it is the ritual of a new agent, in which it writes down who it is: then only boundaries count.
 */
export const whyTooFar = (
  before: string | undefined,
  after: string | undefined,
  { fills }: { readonly fills: boolean },
): string | undefined => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const bounds = boundariesOf(before, after);
  if (bounds.length > 0) return `It changes a boundary: ${JSON.stringify(shorten(bounds[0] ?? ""))}.`;
  // What is new, or was empty, takes nothing away from what was approved.
  if (old.length === 0 || fills) return undefined;
  const { removed, added } = countChanged(diffLines(old, fresh));
  const share = (removed + added) / Math.max(1, old.length + fresh.length);
  if (share <= MAX_SHARE) return undefined;
  return `It changes ${Math.round(share * 100)} % of the lines; at most ${MAX_SHARE * 100} % go unasked.`;
};

const linesOf = (text: string | undefined): readonly string[] =>
  splitLines(text ?? "")
    .map((line) => bareLine(line).trim())
    .filter((line) => line !== "");

/** A word that binds, as a word of its own. */
const BINDS = /\b(never|always|must|shall|do not|don['’]t|may not|not allowed|forbidden|refuse|only if|under no)\b/i;
const HEADING = /^#{1,6}\s+(.*)$/;
const BINDING_HEADING = /\b(boundar(y|ies)|limits?|rules?|constraints?|safety|permissions?)\b/i;

/** Boundary lines that are in one of the texts and not, or less often, in the other. */
const boundariesOf = (before: string | undefined, after: string | undefined): readonly string[] => {
  const [old, fresh] = [boundaries(before), boundaries(after)];
  return [...less(old, fresh), ...less(fresh, old)];
};

/** Lines that bind, and every line below a heading that says that it does, up to the next heading of its rank. */
const boundaries = (text: string | undefined): readonly string[] => {
  const found: string[] = [];
  let below: number | undefined;
  for (const line of linesOf(text)) {
    const [, title] = HEADING.exec(line) ?? [];
    const rank = title === undefined ? undefined : line.indexOf(" ");
    if (rank !== undefined && below !== undefined && rank <= below) below = undefined;
    if (rank !== undefined && BINDING_HEADING.test(title ?? "")) below ??= rank;
    if (below !== undefined || BINDS.test(line)) found.push(line);
  }
  return found;
};

const less = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
};

const shorten = (line: string): string => (line.length > 100 ? `${line.slice(0, 100).toWellFormed()}…` : line);
