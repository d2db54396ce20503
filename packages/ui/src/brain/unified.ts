/** The unified form of a change as lines with their kind. Pure. */
import type { ChangeLine } from "../approvals/diff-lines.ts";

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
          // Where it is, and remarks on ends of lines.
          return { kind: "heading", text: line };
      }
    });

const opposites = { added: "removed", removed: "added", same: "same", heading: "heading" } as const;

/** The same change taken back. What goes stands before what comes, as in any other. */
export const takenBack = (lines: readonly ChangeLine[]): readonly ChangeLine[] => {
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
