/**
 * Validates paths written by models. Does not access the disk; `Files` does.
 *
 * Nothing is decoded, case-folded or resolved, so the checked path is the opened path: `%2e%2e` is
 * six plain characters, and a path with a shorter spelling (`a//b`, `a/./b`) is refused.
 */
import { HearthError } from "@hearth/protocol";

const MAX_PATH_SIZE = 1024;
const MAX_NAME_SIZE = 255;

const encoder = new TextEncoder();

/** Returns the names from the root down to a file. Throws `tool.path`. */
export const parseFilePath = (text: string): readonly string[] => {
  const names = parseNames(text);
  if (names.length === 0) throw pathError(text, "is the workspace itself, not a file");
  return names;
};

/**
 * Returns the names from the root down to a folder. There are none for the root (`.`). One trailing
 * slash is allowed. Throws `tool.path`.
 */
export const parseFolderPath = (text: string): readonly string[] =>
  parseNames(text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text);

const parseNames = (text: string): readonly string[] => {
  checkText(text);
  if (text === ".") return [];
  const names = (text.startsWith("./") ? text.slice(2) : text).split("/");
  for (const name of names) checkName(text, name);
  return names;
};

const checkText = (text: string): void => {
  if (text === "") throw pathError(text, "is empty", "Name a file or folder, or `.` for the workspace.");
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) throw pathError(text, "contains a control character");
  if (!text.isWellFormed()) throw pathError(text, "is not well-formed Unicode");
  if (encoder.encode(text).length > MAX_PATH_SIZE) throw pathError(text, `is longer than ${MAX_PATH_SIZE} bytes`);
  if (text.includes("\\")) throw pathError(text, "contains a backslash", "Separate folders with `/`.");
  if (text.startsWith("/"))
    throw pathError(text, "is absolute", "Use a path relative to the workspace, such as `notes/today.md`.");
  if (text.startsWith("~")) throw pathError(text, "starts at a home folder", "Use a path relative to the workspace.");
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) {
    throw pathError(text, "looks like a drive or a URL", "If a file is really called that, put `./` before it.");
  }
};

const checkName = (text: string, name: string): void => {
  if (name === "..") throw pathError(text, "contains `..`", "Paths are relative to the workspace and cannot leave it.");
  if (name === "" || name === ".")
    throw pathError(text, "contains an empty part or `.`", "Write every folder once, with one `/` between.");
  if (encoder.encode(name).length > MAX_NAME_SIZE)
    throw pathError(text, `has a name longer than ${MAX_NAME_SIZE} bytes`);
};

const pathError = (text: string, why: string, hint?: string): HearthError =>
  new HearthError("tool.path", `The path ${quotePath(text)} ${why}.`, hint === undefined ? {} : { hint });

/** Formats a path for a message: short, on one line, and with control characters escaped. */
export const quotePath = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** Formats a name from the disk for a list. Quotes it if it contains control characters or invalid Unicode. */
export const showName = (name: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name) || !name.isWellFormed() ? JSON.stringify(name) : name;
