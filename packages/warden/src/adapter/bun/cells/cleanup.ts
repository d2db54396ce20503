/** Cleanup after a cell. A failing step is logged and never stops the steps after it. */
import { chmod, readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Log } from "../../../kernel/log/log.ts";
import { openPlainFolder } from "../plain-folder.ts";

/** One step of a cleanup. */
export interface CleanupStep {
  /** The action, for the log: "remove the temporary folder". */
  readonly name: string;
  /** Absolute path of the file or folder that the step changes, if any. */
  readonly path?: string;
  /** May resolve with a reason why the cell ended. */
  readonly run: () => Promise<string | undefined | void>;
}

/** Runs all steps in order and never rejects. Resolves with the first reason that a step returned. */
export const runCleanup = async (log: Log, steps: readonly CleanupStep[]): Promise<string | undefined> => {
  let reason: string | undefined;
  for (const { name, path, run } of steps) {
    try {
      const stepReason = await run();
      reason ??= stepReason ?? undefined;
    } catch (error) {
      const fields = path === undefined ? {} : { path };
      log.write("error", "a cell's cleanup failed", { step: name, ...fields, error });
    }
  }
  return reason;
};

/** The step that removes a folder that commands of a cell could write to. */
export const removeFolderStep = (path: string): CleanupStep => ({
  name: "remove the temporary folder",
  path,
  run: () => removeFolder(path),
});

/**
 * Removes a folder with its contents, even if the modes of its folders forbid it. Follows no link. Throws
 * the system's error.
 */
export const removeFolder = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // A command may have removed its own user's rights, so this restores them and tries once more.
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
};

const OWNER_ALL = 0o700;

/**
 * Gives the owner all rights on every folder below. Each folder is opened name by name, so that no
 * link leads elsewhere.
 */
const openFolders = async (path: string): Promise<void> => {
  const root = await realpath(dirname(path));
  const pendingFolders: (readonly string[])[] = [[basename(path)]];
  for (let names = pendingFolders.pop(); names !== undefined; names = pendingFolders.pop()) {
    using folder = openPlainFolder(root, names);
    await chmod(folder.at, OWNER_ALL);
    for (const entry of await readdir(folder.at, { withFileTypes: true }))
      if (entry.isDirectory()) pendingFolders.push([...names, entry.name]);
  }
};
