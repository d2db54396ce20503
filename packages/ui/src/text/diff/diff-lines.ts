/** Line diff of two texts. Pure. */

export interface ChangeLine {
  readonly kind: "added" | "removed" | "same" | "heading";
  readonly text: string;
}

/** Maximum number of line pairs that are compared. A larger middle part is shown as removed and added. */
const MAX_PAIRS = 1_000_000;

/** Returns the lines of both texts in order: common lines once, removed lines before added lines. */
export const diffLines = (oldLines: readonly string[], newLines: readonly string[]): readonly ChangeLine[] => {
  const prefixLength = countEqualLines(oldLines, newLines);
  const suffixLength = countEqualLines(
    oldLines.slice(prefixLength).toReversed(),
    newLines.slice(prefixLength).toReversed(),
  );
  const oldMiddle = oldLines.slice(prefixLength, oldLines.length - suffixLength);
  const newMiddle = newLines.slice(prefixLength, newLines.length - suffixLength);
  return [
    ...toLines("same", oldLines.slice(0, prefixLength)),
    ...(oldMiddle.length * newMiddle.length > MAX_PAIRS
      ? [...toLines("removed", oldMiddle), ...toLines("added", newMiddle)]
      : diffMiddle(oldMiddle, newMiddle)),
    ...toLines("same", oldLines.slice(oldLines.length - suffixLength)),
  ];
};

const countEqualLines = (a: readonly string[], b: readonly string[]): number => {
  const firstDifference = a.findIndex((line, index) => line !== b[index]);
  return firstDifference === -1 ? a.length : firstDifference;
};

const toLines = (kind: ChangeLine["kind"], lines: readonly string[]): readonly ChangeLine[] =>
  lines.map((text) => ({ kind, text }));

/** Diffs along the longest common subsequence. */
const diffMiddle = (oldLines: readonly string[], newLines: readonly string[]): readonly ChangeLine[] => {
  const width = newLines.length + 1;
  /** Length of the longest common subsequence from each pair of lines on. */
  const common = new Uint32Array((oldLines.length + 1) * width);
  const commonAt = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = oldLines.length - 1; i >= 0; i -= 1)
    for (let j = newLines.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        oldLines[i] === newLines[j] ? commonAt(i + 1, j + 1) + 1 : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
  const lines: ChangeLine[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length || j < newLines.length) {
    const [oldLine, newLine] = [oldLines[i], newLines[j]];
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
