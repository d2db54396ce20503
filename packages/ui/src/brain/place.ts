/** Paths of the brain pages. */
import { brainPath } from "../house/paths.ts";

export type BrainPlace =
  | { readonly kind: "files" | "memory" | "proposals" | "prompt"; readonly agent: string }
  | { readonly kind: "file"; readonly agent: string; readonly path: string }
  /** A folder of the workspace, "" for all of it, or a file. */
  | { readonly kind: "workspace"; readonly agent: string; readonly path: string; readonly isFile: boolean }
  /** The history of the whole brain, or of one file. */
  | { readonly kind: "history"; readonly agent: string; readonly path: string | undefined };

/** Query parameter of the open file. A file name in the path would be taken for a file of the UI itself. */
const FILE = "file=";
const FOLDER = "folder=";

export const pathOfFile = (agent: string, path: string): string =>
  `${brainPath(agent)}/files?${FILE}${encodeFile(path)}`;

export const pathOfHistory = (agent: string, path?: string): string =>
  `${brainPath(agent, "history")}${path === undefined ? "" : `?${FILE}${encodeFile(path)}`}`;

export const pathOfWorkspaceFile = (agent: string, path: string): string =>
  `${brainPath(agent, "workspace")}?${FILE}${encodeFile(path)}`;

/** Returns the path of a folder of the workspace. "" is the root. */
export const pathOfWorkspaceFolder = (agent: string, path: string): string =>
  `${brainPath(agent, "workspace")}${path === "" ? "" : `?${FOLDER}${encodeFile(path)}`}`;

/**
 * Parses the address of a brain page. `location` and `search` come from the router, which has
 * decoded each once.
 */
export const brainPlaceOf = (location: string, search: string): BrainPlace => {
  const [, , handle = "", part = ""] = location.split("/");
  const agent = decode(handle);
  const path = search.startsWith(FILE) ? decode(search.slice(FILE.length)) : "";
  if (part === "workspace") {
    const folder = search.startsWith(FOLDER) ? decode(search.slice(FOLDER.length)) : "";
    return { kind: "workspace", agent, path: path === "" ? folder : path, isFile: path !== "" };
  }
  if (part === "history") return { kind: "history", agent, path: path === "" ? undefined : path };
  if (part === "memory" || part === "proposals" || part === "prompt") return { kind: part, agent };
  return path === "" ? { kind: "files", agent } : { kind: "file", agent, path };
};

/** Encodes a file name twice, because the router decodes it once more and names may contain `%` or `#`. */
const encodeFile = (path: string): string =>
  path
    .split("/")
    .map((name) => encodeURIComponent(encodeURIComponent(name)))
    .join("/");

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
