/**
 * Folders held by a descriptor, so that a name in one means a name in *it*: what `openat` is. No link is followed, and whoever swaps a
 * folder for a link meanwhile makes a step fail, never leave the root. Linux alone, and so are these machines.
 */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

export interface Folder extends Disposable {
  /** `${at}/name` is `name` in this folder, as long as it is not disposed. */
  readonly at: string;
}

const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Throws the system's error: ENOENT, ENOTDIR, ELOOP. */
export const openFolder = (path: string): Folder => {
  const fd = openSync(path, FOLDER_ONLY);
  return { at: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
};

/** The folder that the names lead to. With `create`, what is not there is made, and what is there and no folder gives way. */
export const descend = (root: string, names: readonly string[], missing?: "create"): Folder => {
  let folder = openFolder(root);
  for (const name of names) {
    using parent = folder;
    const at = `${parent.at}/${name}`;
    if (missing === "create") ensureFolder(parent, name);
    folder = openFolder(at);
  }
  return folder;
};

const ensureFolder = (parent: Folder, name: string): void => {
  const at = `${parent.at}/${name}`;
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined) unlinkSync(at);
  mkdirSync(at, 0o755);
};

/** Removes what has that name, with all that is below it. Nothing there is fine. */
export const removeFrom = (folder: Folder, name: string): void => {
  const at = `${folder.at}/${name}`;
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) return unlinkSync(at);
  {
    using inner = openFolder(at);
    for (const below of readdirSync(inner.at)) removeFrom(inner, below);
  }
  rmdirSync(at);
};
