/**
 * Opens folders below a root without following symbolic links, so that no name leads out of the root.
 * There are two implementations:
 * - `descriptors` (Linux): each step opens one name in an open folder through `/proc/self/fd`, like
 *   `openat`. A folder that is swapped for a link makes a step fail, but never leads out of the
 *   root.
 * - `checked` (elsewhere): each step is checked before and after. Another process can swap
 *   the folder between two checks, so the isolation of the cell must limit the damage.
 */
import { closeSync, constants, existsSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface Folder extends Disposable {
  /** `${accessPath}/name` is `name` in this folder, until the folder is disposed. */
  readonly accessPath: string;
}

/** Opens folders. Both methods throw the system's error: ENOENT, ENOTDIR, ELOOP. */
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
  const openChecked = (path: string, expected: string): Folder => {
    if (!lstatSync(path).isDirectory() || realpathSync(path) !== expected) throw notFolderError(path);
    return { accessPath: expected, [Symbol.dispose]: () => undefined };
  };
  return {
    root: () => openChecked(root, realpathSync(root)),
    child: (folder, name) => openChecked(join(folder.accessPath, name), join(folder.accessPath, name)),
  };
};

const notFolderError = (path: string): Error =>
  Object.assign(new Error(`${path} is a link or not a folder`), { code: "ENOTDIR" });
