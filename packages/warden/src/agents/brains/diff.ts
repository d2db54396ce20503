/** Computes and formats line diffs, and reverts a change on which later changes build. */

/** The `lines` replace the range from `from` up to `to`. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Maximum number of edits. If the texts differ more, the diff replaces the whole text. */
const MAX_EDITS = 500;
/** Number of unchanged lines shown around a change. */
const CONTEXT_LINES = 3;

/**
 * Returns the hunks that turn `before` into `after`, in order. Adjacent hunks are joined. Another
 * diff may have fewer hunks.
 */
export const diffLines = (before: readonly string[], after: readonly string[]): readonly Hunk[] => {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const oldLines = before.slice(head, before.length - tail);
  const newLines = after.slice(head, after.length - tail);
  if (oldLines.length === 0 && newLines.length === 0) return [];
  const commonLines = oldLines.length === 0 || newLines.length === 0 ? [] : matchLines(oldLines, newLines);
  return hunksBetween(commonLines, oldLines, newLines).map(({ from, to, lines }) => ({
    from: from + head,
    to: to + head,
    lines,
  }));
};

type Pair = readonly [number, number];

/** Returns the hunks between pairs of kept lines. */
const hunksBetween = (pairs: readonly Pair[], before: readonly string[], after: readonly string[]): readonly Hunk[] => {
  const hunks: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [atBefore, atAfter] of [...pairs, [before.length, after.length] as const]) {
    if (atBefore > x || atAfter > y) hunks.push({ from: x, to: atBefore, lines: after.slice(y, atAfter) });
    [x, y] = [atBefore + 1, atAfter + 1];
  }
  return hunks;
};

/**
 * Returns the pairs of a longest common subsequence, by Myers' greedy algorithm. Returns no pairs
 * if the texts differ too much.
 */
const matchLines = (before: readonly string[], after: readonly string[]): readonly Pair[] => {
  const maxEdits = Math.min(before.length + after.length, MAX_EDITS);
  const reach = new Map<number, number>([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    trace.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reach, diagonal, edits);
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) [x, y] = [x + 1, y + 1];
      reach.set(diagonal, x);
      if (x >= before.length && y >= after.length) return walkBack(trace, before.length, after.length);
    }
  }
  return [];
};

const NOWHERE = -1;

/**
 * Returns the start of a diagonal: one step down or right from the neighbour that reached further.
 */
const startOf = (reach: ReadonlyMap<number, number>, diagonal: number, edits: number): number =>
  isFromBelow(reach, diagonal, edits) ? (reach.get(diagonal + 1) ?? NOWHERE) : (reach.get(diagonal - 1) ?? NOWHERE) + 1;

const isFromBelow = (reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits ||
  (diagonal !== edits && (reach.get(diagonal - 1) ?? NOWHERE) < (reach.get(diagonal + 1) ?? NOWHERE));

const walkBack = (trace: readonly ReadonlyMap<number, number>[], width: number, height: number): readonly Pair[] => {
  const pairs: Pair[] = [];
  let [x, y] = [width, height];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = trace[edits] ?? new Map<number, number>();
    const start = startOf(reach, x - y, edits);
    const startY = start - (x - y);
    while (x > start && y > startY) {
      [x, y] = [x - 1, y - 1];
      pairs.push([x, y]);
    }
    // The step that led to this diagonal: one inserted line of `after`, or one deleted line of
    // `before`.
    if (edits > 0) [x, y] = isFromBelow(reach, x - y, edits) ? [x, y - 1] : [x - 1, y];
  }
  return pairs.reverse();
};

/** Counts the removed and the added lines. */
export const countChanged = (hunks: readonly Hunk[]): { readonly removed: number; readonly added: number } => ({
  removed: hunks.reduce((sum, { from, to }) => sum + to - from, 0),
  added: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
});

/**
 * Reverts the change from `before` to `base` in `current`, which derives from `base`. Returns
 * `undefined` if a later change overlaps it.
 */
export const revertChange = (
  base: readonly string[],
  before: readonly string[],
  current: readonly string[],
): readonly string[] | undefined => {
  const reversal = diffLines(base, before);
  const laterHunks = diffLines(base, current);
  if (reversal.some((a) => laterHunks.some((b) => overlaps(a, b)))) return undefined;
  const lines = [...base];
  // The hunks are applied from the end, so that earlier offsets stay valid. An insertion before a
  // changed line is applied last.
  const lastFirst = [...reversal, ...laterHunks].sort((a, b) => b.from - a.from || b.to - a.to);
  for (const { from, to, lines: replacement } of lastFirst) lines.splice(from, to - from, ...replacement);
  return lines;
};

/** Whether two hunks overlap, or both insert at the same place. */
const overlaps = (a: Hunk, b: Hunk): boolean =>
  (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === a.from && b.to === b.from);

/**
 * Formats a unified diff without a header. A line without a line ending is followed by the usual
 * remark.
 */
export const showDiff = (before: readonly string[], after: readonly string[]): string => {
  const hunks = diffLines(before, after);
  let text = "";
  let shift = 0;
  for (let first = 0; first < hunks.length;) {
    let last = first;
    while (last + 1 < hunks.length && (hunks[last + 1]?.from ?? 0) - (hunks[last]?.to ?? 0) <= 2 * CONTEXT_LINES)
      last += 1;
    const group = hunks.slice(first, last + 1);
    const start = Math.max(0, (group[0]?.from ?? 0) - CONTEXT_LINES);
    const end = Math.min(before.length, (group.at(-1)?.to ?? 0) + CONTEXT_LINES);
    const { removed, added } = countChanged(group);
    const [size, newSize] = [end - start, end - start - removed + added];
    text += `@@ -${rangeOf(start, size)} +${rangeOf(start + shift, newSize)} @@\n`;
    let line = start;
    for (const { from, to, lines } of group) {
      text += before.slice(line, from).map(withMark(" ")).join("");
      text += before.slice(from, to).map(withMark("-")).join("") + lines.map(withMark("+")).join("");
      line = to;
    }
    text += before.slice(line, end).map(withMark(" ")).join("");
    shift += added - removed;
    first = last + 1;
  }
  return text;
};

const rangeOf = (start: number, size: number): string => `${size === 0 ? start : start + 1},${size}`;

const withMark =
  (mark: string) =>
  (line: string): string =>
    line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
