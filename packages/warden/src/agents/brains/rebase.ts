/**
 * Rebases a proposed change onto later edits of the file, if these edits changed none of its lines.
 * Pure.
 */
import { diffLines, type Hunk } from "./diff.ts";
import { bareLine, splitLines } from "./lines.ts";

/**
 * Applies to `current` the change from `before` to `after`, or returns `undefined` if it overlaps a
 * later change. Adds a missing final line ending. Inserts text after other text that was inserted
 * at the same place, unless the text would then belong to another section.
 */
export const rebaseProposal = (path: string, before: string, after: string, current: string): string | undefined => {
  const base = linesOf(before);
  const proposedHunks = diffLines(base, linesOf(after));
  const laterHunks = diffLines(base, linesOf(current));
  const sections = sectionsOf(path);
  const remainingHunks = proposedHunks.filter((a) => !laterHunks.some((b) => isSame(a, b)));
  const rankedHunks: RankedHunk[] = laterHunks.map((hunk) => ({ hunk, rank: 1 }));
  for (const hunk of remainingHunks) {
    const ranks = laterHunks.map((other) => rankBeside(hunk, other, sections));
    if (ranks.includes(undefined)) return undefined;
    rankedHunks.push({ hunk, rank: ranks.includes(0) ? 0 : 2 });
  }
  const lines = [...base];
  // The hunks are applied from the end, so that earlier offsets stay valid. If several insertions are
  // at one place, the last one is applied first.
  for (const { hunk } of rankedHunks.sort(fromEnd)) lines.splice(hunk.from, hunk.to - hunk.from, ...hunk.lines);
  return lines.join("");
};

interface RankedHunk {
  readonly hunk: Hunk;
  /** The order of insertions at one place. */
  readonly rank: number;
}

const fromEnd = (a: RankedHunk, b: RankedHunk): number =>
  b.hunk.from - a.hunk.from || b.hunk.to - a.hunk.to || b.rank - a.rank;

const linesOf = (text: string): readonly string[] => splitLines(text).map((line) => `${bareLine(line)}\n`);

const isSame = (a: Hunk, b: Hunk): boolean =>
  a.from === b.from && a.to === b.to && a.lines.join("") === b.lines.join("");

/** Recognises headings in a format in which lines belong to the heading above them. */
interface Sections {
  isHead(line: string): boolean;
  /** Whether the line describes what follows it. */
  isPrelude(line: string): boolean;
}

const sectionsOf = (path: string): Sections => {
  const [head, prelude] = path.toLowerCase().endsWith(".toml") ? [/^\s*\[/, /^\s*(#.*)?$/] : [/^#{1,6}\s/, /^\s*$/];
  return { isHead: (line) => head.test(line), isPrelude: (line) => prelude.test(bareLine(line)) };
};

/**
 * Returns whether the hunk goes before (0) or after (2) the other one at a shared place, or
 * `undefined` if they conflict.
 */
const rankBeside = (a: Hunk, b: Hunk, sections: Sections): 0 | 2 | undefined => {
  if (a.from < b.to && b.from < a.to) return undefined;
  if (isInsertion(a) && isInsertion(b) && a.from === b.from) return rankAmong(a.lines, b.lines, sections);
  // Lines that continue removed lines cannot be placed.
  if (isInsertion(a) && b.to === a.from && !beginsWithHead(a.lines, sections)) return undefined;
  if (isInsertion(b) && a.to === b.from && !beginsWithHead(b.lines, sections)) return undefined;
  return 2;
};

const isInsertion = ({ from, to }: Hunk): boolean => from === to;

const rankAmong = (lines: readonly string[], others: readonly string[], sections: Sections): 0 | 2 | undefined => {
  const heads = lines.filter((line) => sections.isHead(line)).map((line) => line.trim());
  if (others.some((line) => heads.includes(line.trim()))) return undefined;
  if (beginsWithHead(lines, sections) || !others.some((line) => sections.isHead(line))) return 2;
  return heads.length === 0 ? 0 : undefined;
};

const beginsWithHead = (lines: readonly string[], { isHead, isPrelude }: Sections): boolean => {
  const firstLine = lines.find((line) => isHead(line) || !isPrelude(line));
  return firstLine !== undefined && isHead(firstLine);
};
