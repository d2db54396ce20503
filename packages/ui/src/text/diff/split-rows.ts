/** Pairs the removed and added lines of a diff, to show them side by side. Pure. */
import type { ChangeLine } from "./diff-lines.ts";

export type SplitRow =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "lines"; readonly before: ChangeLine | undefined; readonly after: ChangeLine | undefined };

/** Each removed line is beside the added line at the same place of its change. */
export const splitRows = (lines: readonly ChangeLine[]): readonly SplitRow[] => {
  const rows: SplitRow[] = [];
  let removed: ChangeLine[] = [];
  let added: ChangeLine[] = [];
  const flush = (): void => {
    const count = Math.max(removed.length, added.length);
    for (let index = 0; index < count; index += 1)
      rows.push({ kind: "lines", before: removed[index], after: added[index] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
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
