/**
 * Opens folders step by step: each step opens one name inside an open folder and follows no link,
 * so other processes with write access to the path cannot redirect it. A cell may have write access
 * to the path of another cell's workspace.
 */
import { closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

export interface PlainFolder extends Disposable {
  /**
   * `${at}/name` is `name` in exactly this folder, even if the folder is renamed, as long as it is
   * not disposed.
   */
  readonly at: string;
}

/** Opens a folder without the permission to read it. */
const O_PATH = 0o10000000;
const FOLDER_ONLY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** On other systems the path is checked once, and `at` is only a name. */
const CAN_HOLD_FOLDERS = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * `root` must not contain a link. With "create", missing folders below it are created. Throws the
 * system's error: ENOENT, ENOTDIR, EACCES.
 */
export const openPlainFolder = (root: string, names: readonly string[], missing?: "create"): PlainFolder => {
  if (!CAN_HOLD_FOLDERS) return openChecked(root, names, missing);
  let folder = hold(root);
  for (const name of names) {
    using parent = folder;
    const at = `${parent.at}/${name}`;
    if (missing === "create") ensureFolder(at);
    folder = hold(at);
  }
  return folder;
};

/** Identifies a file or folder uniquely on this machine. Throws the system's error. */
export const identityOf = (path: string): string => {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
};

const hold = (path: string): PlainFolder => {
  const fd = openSync(path, FOLDER_ONLY);
  return { at: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
};

const openChecked = (root: string, names: readonly string[], missing?: "create"): PlainFolder => {
  const at = join(root, ...names);
  if (missing === "create") mkdirSync(at, { recursive: true, mode: 0o700 });
  if (realpathSync(at) !== at) throw Object.assign(new Error(`${at} is a link, not a folder`), { code: "ENOTDIR" });
  return { at, [Symbol.dispose]: () => undefined };
};

const ensureFolder = (at: string): void => {
  try {
    mkdirSync(at, 0o700);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
};
