/** Line diff of two texts. Pure. */

export interface ChangeLine {
  readonly kind: "added" | "removed" | "same" | "heading";
  readonly text: string;
}

/** Maximum number of line pairs that are compared. A larger middle part is shown as removed and added. */
const MAX_PAIRS = 1_000_000;

/** The lines of both texts in order: common lines once, removed lines before added lines. */
export const diffLines = (before: readonly string[], after: readonly string[]): readonly ChangeLine[] => {
  const head = countAlike(before, after);
  const tail = countAlike(before.slice(head).toReversed(), after.slice(head).toReversed());
  const [old, next] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return [
    ...toLines("same", before.slice(0, head)),
    ...(old.length * next.length > MAX_PAIRS
      ? [...toLines("removed", old), ...toLines("added", next)]
      : diffMiddle(old, next)),
    ...toLines("same", before.slice(before.length - tail)),
  ];
};

const countAlike = (a: readonly string[], b: readonly string[]): number => {
  const different = a.findIndex((line, index) => line !== b[index]);
  return different === -1 ? a.length : different;
};

const toLines = (kind: ChangeLine["kind"], lines: readonly string[]): readonly ChangeLine[] =>
  lines.map((text) => ({ kind, text }));

/** Diffs along the longest common subsequence. */
const diffMiddle = (old: readonly string[], next: readonly string[]): readonly ChangeLine[] => {
  const width = next.length + 1;
  /** Length of the longest common subsequence from each pair of lines on. */
  const common = new Uint32Array((old.length + 1) * width);
  const commonAt = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = next.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === next[j] ? commonAt(i + 1, j + 1) + 1 : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
  const lines: ChangeLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [oldLine, newLine] = [old[i], next[j]];
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ kind: "same", text: oldLine });
      i += 1;
      j += 1;
    } else if (oldLine !== undefined && (newLine === undefined || commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      lines.push({ kind: "removed", text: oldLine });
      i += 1;
    } else if (newLine !== undefined) {
      lines.push({ kind: "added", text: newLine });
      j += 1;
    }
  }
  return lines;
};
