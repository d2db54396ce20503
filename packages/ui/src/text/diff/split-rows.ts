/** Pairs the removed and added lines of a diff, to show them side by side. Pure. */
import type { ChangeLine } from "./diff-lines.ts";

export type SplitRow =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "lines"; readonly before: ChangeLine | undefined; readonly after: ChangeLine | undefined };

/** Each removed line is beside the added line at the same place of its change. */
export const splitRows = (lines: readonly ChangeLine[]): readonly SplitRow[] => {
  const rows: SplitRow[] = [];
  let removedLines: ChangeLine[] = [];
  let addedLines: ChangeLine[] = [];
  const flush = (): void => {
    const count = Math.max(removedLines.length, addedLines.length);
    for (let index = 0; index < count; index += 1)
      rows.push({ kind: "lines", before: removedLines[index], after: addedLines[index] });
    removedLines = [];
    addedLines = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") removedLines.push(line);
    else if (line.kind === "added") addedLines.push(line);
    else {
      flush();
      rows.push(
        line.kind === "heading" ? { kind: "heading", text: line.text } : { kind: "lines", before: line, after: line },
      );
    }
  }
  flush();
  return rows;
};
