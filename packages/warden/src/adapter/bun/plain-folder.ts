/**
 * Folders that are reached step by step, each an open of one name in an open folder, which follows no link: whoever may write on the way leads
 * nobody elsewhere. A cell may write on the way to another cell's workspace.
 */
import { closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

export interface PlainFolder extends Disposable {
  /** `${at}/name` is `name` in this very folder, whatever has its own name meanwhile, as long as it is not disposed. */
  readonly at: string;
}

/** Takes no right to read what is in it. */
const O_PATH = 0o10000000;
const FOLDER_ONLY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Elsewhere it is looked at once, and what `at` says is only its name. */
const HOLDS = process.platform === "linux" && existsSync("/proc/self/fd");

/** `root` has no link in it. With "create" what is missing below it is made. Throws the system's error: ENOENT, ENOTDIR, EACCES. */
export const openPlainFolder = (root: string, names: readonly string[], missing?: "create"): PlainFolder => {
  if (!HOLDS) return openChecked(root, names, missing);
  let folder = hold(root);
  for (const name of names) {
    using parent = folder;
    const at = `${parent.at}/${name}`;
    if (missing === "create") ensureFolder(at);
    folder = hold(at);
  }
  return folder;
};

/** What tells a folder, or whatever else a path leads to, from all others of the machine. Throws the system's error. */
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
  if (realpathSync(at) !== at) throw Object.assign(new Error(`${at} is no folder of its own`), { code: "ENOTDIR" });
  return { at, [Symbol.dispose]: () => undefined };
};

const ensureFolder = (at: string): void => {
  try {
    mkdirSync(at, 0o700);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
};
