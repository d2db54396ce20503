/**
 * Parses patches in the models' format and applies hunks to a text.
 *
 * The format is `*** Begin Patch`, a section for each file, `*** End Patch`.
 */
import { HearthError } from "@hearth/protocol";

export type Section =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly to: string | undefined;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  /**
   * Lines after `@@`. Each line occurs somewhere above the change. Together they select one of
   * several matching places.
   */
  readonly anchors: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether the hunk is at the end of the file. */
  readonly isAtEnd: boolean;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const FILE_HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE_HEADER = /^\*\*\* Move to: (.+)$/;

/** Parses a patch. Throws `tool.invalid` with the number of the invalid line. */
export const parsePatch = (patch: string): readonly Section[] => {
  const lines = patch.replace(/\r\n/g, "\n").trim().split("\n");
  if (lines[0]?.trim() !== BEGIN) throw invalidLineError(1, `it must begin with "${BEGIN}"`);
  if (lines.at(-1)?.trim() !== END) throw invalidLineError(lines.length, `it must end with "${END}"`);
  const sections: Section[] = [];
  const end = lines.length - 1;
  for (let lineIndex = 1; lineIndex < end;) {
    const head = FILE_HEADER.exec(lines[lineIndex]?.trimEnd() ?? "");
    if (head === null)
      throw invalidLineError(lineIndex + 1, "expected a file header: *** Add File, *** Delete File or *** Update File");
    const [, kind, path = ""] = head;
    let nextHeader = lineIndex + 1;
    while (nextHeader < end && !FILE_HEADER.test(lines[nextHeader] ?? "")) nextHeader += 1;
    const body = lines.slice(lineIndex + 1, nextHeader);
    sections.push(toSection(kind, path.trim(), body, lineIndex + 2));
    lineIndex = nextHeader;
  }
  if (sections.length === 0) throw invalidLineError(2, "it has no file section");
  const names = sections.flatMap((section) =>
    section.kind === "update" && section.to !== undefined ? [section.path, section.to] : [section.path],
  );
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw invalidLineError(1, `it has two sections for ${duplicate}; put all hunks of a file into one section`);
  return sections;
};

const toSection = (kind: string | undefined, path: string, body: readonly string[], line: number): Section => {
  if (kind === "Add") {
    const invalidIndex = body.findIndex((text) => !text.startsWith("+"));
    if (invalidIndex !== -1) throw invalidLineError(line + invalidIndex, "every line of a new file begins with +");
    return { kind: "add", path, text: body.map((text) => `${text.slice(1)}\n`).join("") };
  }
  if (kind === "Delete") {
    const invalidIndex = body.findIndex((text) => text.trim() !== "");
    if (invalidIndex !== -1) throw invalidLineError(line + invalidIndex, "a deleted file must have no lines below it");
    return { kind: "delete", path };
  }
  const move = MOVE_HEADER.exec(body[0]?.trimEnd() ?? "");
  const hunks = toHunks(move === null ? body : body.slice(1), move === null ? line : line + 1);
  if (hunks.length === 0 && move === null) throw invalidLineError(line, `nothing is changed in ${path}`);
  return { kind: "update", path, to: move?.[1]?.trim(), hunks };
};

const toHunks = (body: readonly string[], line: number): readonly Hunk[] => {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let before: string[] = [];
  let after: string[] = [];
  const closeHunk = (isAtEnd: boolean): void => {
    if (before.length > 0 || after.length > 0) {
      hunks.push({ anchors, before, after, isAtEnd });
      anchors = [];
    }
    [before, after] = [[], []];
  };
  for (const [index, text] of body.entries()) {
    if (text.startsWith("@@")) {
      closeHunk(false);
      const anchor = text.slice(2).trim();
      // Line numbers of models are guesses, so only the text counts.
      if (anchor !== "" && !/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(anchor)) anchors.push(anchor);
    } else if (text.trim() === END_OF_FILE) closeHunk(true);
    else if (text.startsWith("+")) after.push(text.slice(1));
    else if (text.startsWith("-")) before.push(text.slice(1));
    else if (text.startsWith(" ") || text === "") {
      before.push(text.slice(1));
      after.push(text.slice(1));
    } else throw invalidLineError(line + index, "every line of a hunk begins with a space, - or +");
  }
  closeHunk(false);
  return hunks;
};

/** Applies the hunks in order. Throws `tool.invalid` if a place is missing or ambiguous. */
export const applyHunks = (path: string, text: string, hunks: readonly Hunk[]): string => {
  const hasWindowsLineEnds = text.includes("\r\n");
  const normalized = hasWindowsLineEnds ? text.replace(/\r\n/g, "\n") : text;
  const lacksFinalNewline = normalized !== "" && !normalized.endsWith("\n");
  const lines = normalized === "" ? [] : (lacksFinalNewline ? normalized : normalized.slice(0, -1)).split("\n");
  const result: string[] = [];
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const lineIndex = findHunk(lines, hunk, from, `hunk ${index + 1} of ${path}`);
    result.push(...lines.slice(from, lineIndex), ...hunk.after);
    from = lineIndex + hunk.before.length;
  }
  result.push(...lines.slice(from));
  const newText =
    result.length === 0 ? "" : `${result.join("\n")}${lacksFinalNewline && from < lines.length ? "" : "\n"}`;
  return hasWindowsLineEnds ? newText.replace(/\n/g, "\r\n") : newText;
};

/**
 * Finds the place of a hunk. Compares exactly first, and then without trailing white space, which
 * models often omit.
 */
const findHunk = (lines: readonly string[], hunk: Hunk, from: number, hunkName: string): number => {
  let start = from;
  for (const anchor of hunk.anchors) {
    const lineIndex = lines.findIndex((line, index) => index >= start && line.trim() === anchor);
    if (lineIndex === -1) throw invalidPatchError(`${hunkName}: the line "${anchor}" is not there.`);
    start = lineIndex + 1;
  }
  if (hunk.before.length === 0) return hunk.isAtEnd || hunk.anchors.length === 0 ? lines.length : start;
  for (const isEqual of [(a: string, b: string) => a === b, (a: string, b: string) => a.trimEnd() === b.trimEnd()]) {
    const matches = matchesOf(lines, hunk.before, start, isEqual).filter(
      (lineIndex) => !hunk.isAtEnd || lineIndex + hunk.before.length === lines.length,
    );
    const [firstMatch, secondMatch] = matches;
    if (firstMatch === undefined) continue;
    // With an anchor, the hunk applies to the first match below it.
    if (secondMatch !== undefined && hunk.anchors.length === 0)
      throw invalidPatchError(
        `${hunkName} fits in ${matches.length} places.`,
        "Give more lines around it, or a line above it after @@.",
      );
    return firstMatch;
  }
  throw invalidPatchError(`${hunkName} does not fit: its lines are not in the file.`, "Read the file again.");
};

const matchesOf = (
  lines: readonly string[],
  oldLines: readonly string[],
  from: number,
  isEqual: (a: string, b: string) => boolean,
): readonly number[] => {
  const matches: number[] = [];
  for (let lineIndex = from; lineIndex + oldLines.length <= lines.length; lineIndex += 1)
    if (oldLines.every((line, index) => isEqual(line, lines[lineIndex + index] ?? ""))) matches.push(lineIndex);
  return matches;
};

const invalidLineError = (line: number, why: string): HearthError =>
  invalidPatchError(`Line ${line} of the patch: ${why}.`, "Nothing was changed.");

const invalidPatchError = (message: string, hint = "Nothing was changed."): HearthError =>
  new HearthError("tool.invalid", message, { hint });
