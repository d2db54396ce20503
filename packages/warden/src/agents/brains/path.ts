/**
 * Paths of files in a brain. Nothing is decoded, folded or resolved, so what is checked is what is opened: `%2e%2e` is six plain characters,
 * and a path that has a shorter spelling is refused.
 */
import { withoutHidden } from "../../people/index.ts";
import { HearthError } from "@hearth/protocol";

const MAX_PATH_SIZE = 1024;
const MAX_NAME_SIZE = 255;

/** Where cells write, checkpointed as a whole. */
export const WORKSPACE = "workspace";
/** What others keep there: derived, or a mirror of what stands elsewhere. */
const OTHERS: readonly string[] = ["db", "config"];

const encoder = new TextEncoder();

/** Throws `brain.path` for what is no path of a file that is written through the brain. */
export const checkPath = (path: string): void => {
  const why = whyNoPath(path) ?? whyNotHere(path);
  if (why !== undefined) throw badPath(path, why);
};

/** Why a text is no path at all, or nothing. */
export const whyNoPath = (path: string): string | undefined => {
  if (path === "") return "is empty";
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return "has a control character in it";
  if (!path.isWellFormed()) return "is not well-formed Unicode";
  if (encoder.encode(path).length > MAX_PATH_SIZE) return `is longer than ${MAX_PATH_SIZE} bytes`;
  if (path.includes("\\")) return "has a backslash in it";
  if (path.startsWith("/") || path.startsWith("~")) return "does not begin in the brain";
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return "looks like a drive or a URL";
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "has an empty part, `.` or `..` in it";
  if (names.some((name) => encoder.encode(name).length > MAX_NAME_SIZE))
    return `has a name longer than ${MAX_NAME_SIZE} bytes`;
  return undefined;
};

const whyNotHere = (path: string): string | undefined => {
  if (withoutHidden(path) !== path)
    return "has an invisible character in it, or one that turns the direction of writing";
  const [first = ""] = foldPath(path).split("/");
  if (first === WORKSPACE) return "is in the workspace, which the tools of the cell write";
  if (OTHERS.includes(first)) return `is in ${first}, which Hearth keeps by itself`;
  return path.split("/").some((name) => name.startsWith(".")) ? "has a name that begins with a dot" : undefined;
};

/** Whether a name on the disk is none of the brain's own: the owner's tools', derived, or kept in another way. */
export const isForeign = (name: string, path: string): boolean =>
  name.startsWith(".") || name === "node_modules" || path === WORKSPACE || OTHERS.includes(path);

/** As a disk that takes look-alikes for one name sees it. */
export const foldPath = (path: string): string => path.normalize("NFKC").toLowerCase();

const badPath = (path: string, why: string): HearthError =>
  new HearthError("brain.path", `The path ${quote(path)} ${why}.`, {
    hint: "Name a file of the brain by its path there, such as memory/notes.md.",
  });

const quote = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
