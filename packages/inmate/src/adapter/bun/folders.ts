/**
 * Two ways to hold a folder below a root, so that a name in it cannot refer to another folder.
 * Neither follows symbolic links.
 * - `descriptors` (Linux): each step opens one name in an open folder through `/proc/self/fd`, like
 *   `openat`. A folder that is swapped for a link makes a step fail, but never leads out of the
 *   root.
 * - `checked` (elsewhere): each step is checked before and after. It can lose a race against a swap
 *   between two checks, so the cell's isolation must contain the damage.
 */
import { closeSync, constants, existsSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface Folder extends Disposable {
  /** `${at}/name` is `name` in this folder, until it is disposed. */
  readonly accessPath: string;
}

/** Both methods throw the system's error: ENOENT, ENOTDIR, ELOOP. */
export interface Folders {
  root(): Folder;
  child(folder: Folder, name: string): Folder;
}

export const createFolders = (root: string): Folders =>
  process.platform === "linux" && existsSync("/proc/self/fd")
    ? createDescriptorFolders(root)
    : createCheckedFolders(root);

const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export const createDescriptorFolders = (root: string): Folders => {
  const open = (path: string): Folder => {
    const fd = openSync(path, FOLDER_ONLY);
    return { accessPath: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
  };
  return { root: () => open(root), child: (folder, name) => open(`${folder.accessPath}/${name}`) };
};

export const createCheckedFolders = (root: string): Folders => {
  const check = (path: string, expected: string): Folder => {
    if (!lstatSync(path).isDirectory() || realpathSync(path) !== expected) throw notFolderError(path);
    return { accessPath: expected, [Symbol.dispose]: () => undefined };
  };
  return {
    root: () => check(root, realpathSync(root)),
    child: (folder, name) => check(join(folder.accessPath, name), join(folder.accessPath, name)),
  };
};

const notFolderError = (path: string): Error =>
  Object.assign(new Error(`${path} is a link or not a folder`), { code: "ENOTDIR" });
