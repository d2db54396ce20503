/**
 * Two ways to hold a folder below a root, so that a name in it means a name in *it*. Neither follows a symbolic link.
 *
 * `descriptors` (Linux): every step down is an open of one name inside an open folder, through `/proc/self/fd`: what `openat` is.
 * Whoever swaps a folder for a link meanwhile makes a step fail, never leave the root.
 * `checked` (elsewhere): every step is looked at before and after. A swap between two looks is a race that it can lose, so
 * there the walls of the cell have to hold.
 */
import { closeSync, constants, existsSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface Folder extends Disposable {
  /** `${at}/name` is `name` in this folder, as long as it is not disposed. */
  readonly at: string;
}

/** Both throw the system's error: ENOENT, ENOTDIR, ELOOP. */
export interface Folders {
  root(): Folder;
  child(folder: Folder, name: string): Folder;
}

export const bestFolders = (root: string): Folders =>
  process.platform === "linux" && existsSync("/proc/self/fd")
    ? createDescriptorFolders(root)
    : createCheckedFolders(root);

const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export const createDescriptorFolders = (root: string): Folders => {
  const open = (path: string): Folder => {
    const fd = openSync(path, FOLDER_ONLY);
    return { at: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
  };
  return { root: () => open(root), child: (folder, name) => open(`${folder.at}/${name}`) };
};

export const createCheckedFolders = (root: string): Folders => {
  const check = (path: string, expected: string): Folder => {
    if (!lstatSync(path).isDirectory() || realpathSync(path) !== expected) throw notFolder(path);
    return { at: expected, [Symbol.dispose]: () => undefined };
  };
  return {
    root: () => check(root, realpathSync(root)),
    child: (folder, name) => check(join(folder.at, name), join(folder.at, name)),
  };
};

const notFolder = (path: string): Error =>
  Object.assign(new Error(`${path} is not a folder of its own`), { code: "ENOTDIR" });
