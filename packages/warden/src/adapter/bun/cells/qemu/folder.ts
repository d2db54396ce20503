/**
 * Folders held open by a descriptor, like `openat`: names are resolved inside the open folder. No
 * link is followed. If another process swaps a folder for a link, the step fails and never leaves
 * the root. This works only on Linux, like these machines.
 */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

export interface Folder extends Disposable {
  /** `${at}/name` is `name` in this folder, as long as it is not disposed. */
  readonly at: string;
}

const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens a folder. Throws the system's error: ENOENT, ENOTDIR, ELOOP. */
export const openFolder = (path: string): Folder => {
  const fd = openSync(path, FOLDER_ONLY);
  return { at: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
};

/**
 * Opens the folder at the path of these names. With `create`, missing folders are created, and
 * anything else in their place is removed.
 */
export const descend = (root: string, names: readonly string[], missing?: "create"): Folder => {
  let folder = openFolder(root);
  for (const name of names) {
    using parent = folder;
    const path = `${parent.at}/${name}`;
    if (missing === "create") ensureFolder(parent, name);
    folder = openFolder(path);
  }
  return folder;
};

const ensureFolder = (parent: Folder, name: string): void => {
  const path = `${parent.at}/${name}`;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined) unlinkSync(path);
  mkdirSync(path, 0o755);
};

/** Removes a name with everything below it. Does nothing if the name is missing. */
export const removeFrom = (folder: Folder, name: string): void => {
  const path = `${folder.at}/${name}`;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) return unlinkSync(path);
  {
    using inner = openFolder(path);
    for (const innerName of readdirSync(inner.at)) removeFrom(inner, innerName);
  }
  rmdirSync(path);
};
