/** Parses a unified diff into typed lines. Pure. */
import type { ChangeLine } from "../../approvals/diff-lines.ts";

export const linesOfDiff = (diff: string): readonly ChangeLine[] =>
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
          // Hunk headers and remarks about line endings.
          return { kind: "heading", text: line };
      }
    });

const opposites = { added: "removed", removed: "added", same: "same", heading: "heading" } as const;

/** The reversed diff, with removed lines before added ones. */
export const reverseDiff = (lines: readonly ChangeLine[]): readonly ChangeLine[] => {
  const back: ChangeLine[] = [];
  let came: ChangeLine[] = [];
  for (const { kind, text } of lines) {
    const line = { kind: opposites[kind], text };
    if (line.kind === "added") {
      came.push(line);
      continue;
    }
    if (line.kind !== "removed") {
      back.push(...came);
      came = [];
    }
    back.push(line.kind === "heading" ? { kind: "heading", text: swapSides(text) } : line);
  }
  return [...back, ...came];
};

const swapSides = (heading: string): string => heading.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@");
