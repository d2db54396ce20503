/**
 * What a call would change in files, as lines that go and lines that come. It is read from the exact display, never from the call itself: it shows
 * nothing that stands not there, and what is escaped there stays so. Pure.
 */
import { type ChangeLine, diffLines } from "./diff-lines.ts";

export interface Change {
  /** What the lines are about. */
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

/** Undefined: it is no tool that writes files, or its fields are not those that it has. */
export const changeOf = (tool: string, display: string): Change | undefined => {
  const fields = fieldsOf(display);
  switch (tool) {
    case "write": {
      const [path, content] = [fields.get("path"), fields.get("content")];
      if (path === undefined || content === undefined) return undefined;
      return { title: `All of ${path.join(" ")}`, lines: content.map((text) => ({ kind: "added", text })) };
    }
    case "edit": {
      const [path, old, next] = [fields.get("path"), fields.get("old"), fields.get("new")];
      if (path === undefined || old === undefined || next === undefined) return undefined;
      return { title: path.join(" "), lines: diffLines(old, next) };
    }
    case "apply_patch": {
      const patch = fields.get("patch");
      return patch === undefined ? undefined : { title: "The patch", lines: patch.map(toPatchLine) };
    }
    default:
      return undefined;
  }
};

/** Texts by field, each cut at its line breaks. */
const fieldsOf = (display: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    display.split("\n").flatMap((line) => {
      const [, name, text] = /^ {2}(\w+): "(.*)"$/.exec(line) ?? [];
      return name === undefined || text === undefined ? [] : [[name, linesOf(text)] as const];
    }),
  );

/** Line breaks, tabs and quotes as they are; anything else that is escaped could hide or pass for something else. */
const linesOf = (text: string): readonly string[] => {
  const lines = text
    .replace(/\\(\\|n|t|")/g, (whole, sign: string) => ({ n: "\n", t: "\t", '"': '"' })[sign] ?? whole)
    .split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

const toPatchLine = (line: string): ChangeLine => {
  if (/^(\*\*\* |@@)/.test(line)) return { kind: "heading", text: line };
  const text = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", text };
  if (line.startsWith("-")) return { kind: "removed", text };
  return { kind: "same", text: line.startsWith(" ") ? text : line };
};
