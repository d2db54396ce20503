/** Parses unified diffs into typed lines, and reverses them. Pure. */
import type { ChangeLine } from "../../text/diff/diff-lines.ts";

export const parseUnifiedDiff = (diff: string): readonly ChangeLine[] =>
  diff
    .replace(/\n$/, "")
    .split("\n")
    .map((line): ChangeLine => {
      const text = line.slice(1);
      switch (line[0]) {
        case "+":
          return { kind: "added", text };
        case "-":
          return { kind: "removed", text };
        case " ":
          return { kind: "same", text };
        default:
          // Hunk headers, and `\ No newline at end of file`.
          return { kind: "heading", text: line };
      }
    });

const opposites = { added: "removed", removed: "added", same: "same", heading: "heading" } as const;

/** Returns the diff that undoes this one. In each change, removed lines come before added lines. */
export const reverseDiff = (lines: readonly ChangeLine[]): readonly ChangeLine[] => {
  const reversedLines: ChangeLine[] = [];
  let pendingAdditions: ChangeLine[] = [];
  for (const { kind, text } of lines) {
    const line = { kind: opposites[kind], text };
    if (line.kind === "added") {
      pendingAdditions.push(line);
      continue;
    }
    if (line.kind !== "removed") {
      reversedLines.push(...pendingAdditions);
      pendingAdditions = [];
    }
    reversedLines.push(line.kind === "heading" ? { kind: "heading", text: swapSides(text) } : line);
  }
  return [...reversedLines, ...pendingAdditions];
};

const swapSides = (heading: string): string => heading.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@");
