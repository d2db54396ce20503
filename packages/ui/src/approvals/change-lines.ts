/**
 * Shows the file changes of a call as added and removed lines. The changes of an approval are parsed
 * from its display text and never from the call, so that a person sees only what the display text
 * contains, with its escapes. The functions are pure.
 */
import { toolWords } from "../language/text.ts";
import { type ChangeLine, diffLines } from "../text/diff/diff-lines.ts";
import * as texts from "./text.ts";

export interface Change {
  /** Name of the changed file. */
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

/**
 * Returns the change that a display text shows. Returns undefined for tools that do not write files,
 * and for unexpected fields.
 */
export const changeOfDisplay = (tool: string, display: string): Change | undefined =>
  toChange(tool, parseDisplayFields(display));

/** Returns the change of a call that ran, from its input. */
export const changeOfInput = (tool: string, input: unknown): Change | undefined =>
  typeof input !== "object" || input === null
    ? undefined
    : toChange(
        tool,
        new Map(
          Object.entries(input).flatMap(([name, text]: [string, unknown]) =>
            typeof text === "string" ? [[name, splitLines(text)] as const] : [],
          ),
        ),
      );

const toChange = (tool: string, fields: ReadonlyMap<string, readonly string[]>): Change | undefined => {
  switch (toolWords(tool)?.change) {
    case "whole": {
      const [path, content] = [fields.get("path"), fields.get("content")];
      if (path === undefined || content === undefined) return undefined;
      return { title: texts.allOf(path.join(" ")), lines: content.map((text) => ({ kind: "added", text })) };
    }
    case "replacement": {
      const [path, oldLines, newLines] = [fields.get("path"), fields.get("old"), fields.get("new")];
      if (path === undefined || oldLines === undefined || newLines === undefined) return undefined;
      return { title: path.join(" "), lines: diffLines(oldLines, newLines) };
    }
    case "patch": {
      const patch = fields.get("patch");
      return patch === undefined ? undefined : { title: texts.thePatch, lines: patch.map(toPatchLine) };
    }
    default:
      return undefined;
  }
};

/** Returns the names of the fields that the change lines show completely. */
export const listShownFields = (tool: string, display: string): readonly string[] => {
  if (changeOfDisplay(tool, display) === undefined) return [];
  const kind = toolWords(tool)?.change;
  return kind === "whole" ? ["path", "content"] : kind === "replacement" ? ["path", "old", "new"] : ["patch"];
};

/** Returns the lines of each field of a display text. */
const parseDisplayFields = (display: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    display.split("\n").flatMap((line) => {
      const [, name, text] = /^ {2}(\w+): "(.*)"$/.exec(line) ?? [];
      return name === undefined || text === undefined ? [] : [[name, unescapeLines(text)] as const];
    }),
  );

/**
 * Unescapes line breaks, tabs and quotes, and splits the text into lines. Other escaped characters
 * stay escaped, because they could be invisible or deceptive.
 */
export const unescapeLines = (text: string): readonly string[] =>
  splitLines(text.replace(/\\(\\|n|t|")/g, (match, sign: string) => ({ n: "\n", t: "\t", '"': '"' })[sign] ?? match));

const splitLines = (text: string): readonly string[] => {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

const toPatchLine = (line: string): ChangeLine => {
  if (/^(\*\*\* |@@)/.test(line)) return { kind: "heading", text: line };
  const text = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", text };
  if (line.startsWith("-")) return { kind: "removed", text };
  return { kind: "same", text: line.startsWith(" ") ? text : line };
};
