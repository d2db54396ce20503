/**
 * Validates paths of brain files. The path that was checked is the path that is opened, because no
 * path is decoded, folded or resolved: `%2e%2e` is six plain characters, and a path with a shorter
 * spelling is refused.
 */
import { withoutHidden } from "../../people/index.ts";
import { HearthError } from "@hearth/protocol";

const MAX_PATH_SIZE = 1024;
const MAX_NAME_SIZE = 255;

/** The folder that cells write, checkpointed as a whole. */
export const WORKSPACE = "workspace";
/** Folders that other parts own: derived files, and copies of data stored elsewhere. */
const FOREIGN_FOLDERS: readonly string[] = ["db", "config"];

const encoder = new TextEncoder();

/** Throws `brain.path` if the path cannot be written through the brain. */
export const checkPath = (path: string): void => {
  const why = invalidPathReason(path) ?? forbiddenPathReason(path);
  if (why !== undefined) throw invalidPathError(path, why);
};

/** Returns the reason why a text is not a valid path, or undefined. */
export const invalidPathReason = (path: string): string | undefined => {
  if (path === "") return "is empty";
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return "contains a control character";
  if (!path.isWellFormed()) return "is not well-formed Unicode";
  if (encoder.encode(path).length > MAX_PATH_SIZE) return `is longer than ${MAX_PATH_SIZE} bytes`;
  if (path.includes("\\")) return "contains a backslash";
  if (path.startsWith("/") || path.startsWith("~")) return "is not relative to the brain";
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return "looks like a drive or a URL";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "contains an empty part, `.` or `..`";
  if (names.some((name) => encoder.encode(name).length > MAX_NAME_SIZE))
    return `has a name longer than ${MAX_NAME_SIZE} bytes`;
  return undefined;
};

const forbiddenPathReason = (path: string): string | undefined => {
  if (withoutHidden(path) !== path) return "contains an invisible or direction-changing character";
  const [topName = ""] = foldPath(path).split("/");
  if (topName === WORKSPACE) return "is in the workspace, which only the cell's tools write";
  if (FOREIGN_FOLDERS.includes(topName)) return `is in ${topName}, which Hearth manages`;
  return path.split("/").some((name) => name.startsWith(".")) ? "has a name that begins with a dot" : undefined;
};

/**
 * Whether a name on disk is not a brain file: it belongs to the owner's tools, is derived, or has
 * another part as its owner.
 */
export const isForeign = (name: string, path: string): boolean =>
  name.startsWith(".") || name === "node_modules" || path === WORKSPACE || FOREIGN_FOLDERS.includes(path);

/** Folds a path in the way of a disk that treats look-alike names as equal. */
export const foldPath = (path: string): string => path.normalize("NFKC").toLowerCase();

const invalidPathError = (path: string, why: string): HearthError =>
  new HearthError("brain.path", `The path ${quote(path)} ${why}.`, {
    hint: "Name a file of the brain by its path there, such as memory/notes.md.",
  });

const quote = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
