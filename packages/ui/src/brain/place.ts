/** Where in an agent's brain one is, by the path. */
import { brainPath } from "../house/paths.ts";

export type BrainPlace =
  | { readonly kind: "files" | "memory" | "proposals" | "prompt"; readonly agent: string }
  | { readonly kind: "file"; readonly agent: string; readonly path: string }
  /** Of the whole brain, or of one file. */
  | { readonly kind: "history"; readonly agent: string; readonly path: string | undefined };

/** As a question, not as a path: a path with an extension is a file of the UI itself. */
const FILE = "file=";

export const pathOfFile = (agent: string, path: string): string =>
  `${brainPath(agent)}/files?${FILE}${encodeFile(path)}`;

export const pathOfHistory = (agent: string, path?: string): string =>
  `${brainPath(agent, "history")}${path === undefined ? "" : `?${FILE}${encodeFile(path)}`}`;

/** `location` and `search` as the router gives them, which has decoded each once. */
export const brainPlaceOf = (location: string, search: string): BrainPlace => {
  const [, , handle = "", part = ""] = location.split("/");
  const agent = decode(handle);
  const path = search.startsWith(FILE) ? decode(search.slice(FILE.length)) : "";
  if (part === "history") return { kind: "history", agent, path: path === "" ? undefined : path };
  if (part === "memory" || part === "proposals" || part === "prompt") return { kind: part, agent };
  return path === "" ? { kind: "files", agent } : { kind: "file", agent, path };
};

/** Twice, because the router decodes what it can before anybody sees it: a name may have a `%` or a `#` in it. */
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
