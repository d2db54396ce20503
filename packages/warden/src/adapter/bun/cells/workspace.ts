/**
 * Holds the workspace folder of a cell open for the cell's lifetime, so that the cell keeps the same
 * folder even if someone renames or replaces a part of its path.
 */
import { HearthError } from "@hearth/protocol";
import type { Cell } from "../../../cells/backend.ts";
import { identityOf, openPlainFolder, type PlainFolder } from "../plain-folder.ts";

export interface HeldWorkspace {
  /** A path that leads to this folder in this process and its children, even if the folder is moved. */
  readonly at: string;
  /** Device and inode of the folder (`identityOf`), which a backend compares inside the cell. */
  readonly identity: string;
}

/**
 * Opens the workspace, calls `open` with it, and closes the workspace when the cell has ended. Throws
 * `cell.unavailable` if the path contains a link.
 */
export const withWorkspace = async <OpenedCell extends Cell>(
  path: string,
  open: (workspace: HeldWorkspace) => Promise<OpenedCell>,
): Promise<OpenedCell> => {
  const folder = openFolder(path);
  try {
    // A plain folder is at `/proc/self/fd/N`, but `self` is another process in a child. This path
    // is a link. With `/.` it names the folder itself.
    const at = `${folder.at.replace(/^\/proc\/self\//, `/proc/${process.pid}/`)}/.`;
    const cell = await open({ at, identity: identityOf(at) });
    const closeFolder = (): void => folder[Symbol.dispose]();
    cell.exited.then(closeFolder, closeFolder);
    return cell;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
};

const openFolder = (path: string): PlainFolder => {
  const names = path.split("/").filter((name) => name !== "");
  try {
    return openPlainFolder("/", names);
  } catch (cause) {
    throw workspaceMovedError(path, cause);
  }
};

export const workspaceMovedError = (path: string, cause?: unknown): HearthError =>
  new HearthError(
    "cell.unavailable",
    `Cannot open the workspace ${path}: a part of the path is missing, a link or a file, or was replaced.`,
    {
      hint: "Make every part of the path of the agent's workspace a folder, and try again.",
      cause,
    },
  );
