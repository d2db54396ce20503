/** Decides which requests the service worker answers. Pure. */

/** The facts that a build writes into its worker. */
export interface BuiltUi {
  /** Hash of the document and the names of all files. */
  readonly version: string;
  /** Name of the document, below `/ui/`. Each language has its own. */
  readonly document: string;
  /** Files with the hash of their content in their names, below `/ui/`. */
  readonly files: readonly string[];
}

/** Path of the document. All pages of the app share it. */
export const SHELL = "/ui/";

/**
 * `shell`: a page of the app. `kept`: a file of this build. `network`: the worker does not answer
 * the request.
 */
export type Answer = "shell" | "kept" | "network";

export interface WorkerRequest {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
}

export const answerOf = (
  { files }: Pick<BuiltUi, "files">,
  scope: string,
  { method, url, mode }: WorkerRequest,
): Answer => {
  if (method !== "GET") return "network";
  const { origin, pathname } = new URL(url);
  if (origin !== new URL(scope).origin || !pathname.startsWith(SHELL)) return "network";
  const path = pathname.slice(SHELL.length);
  if (mode === "navigate") return path.slice(path.lastIndexOf("/") + 1).includes(".") ? "network" : "shell";
  return files.includes(path) ? "kept" : "network";
};
