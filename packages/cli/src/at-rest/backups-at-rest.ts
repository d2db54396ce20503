/** Makes, checks and restores backups through the warden's own code. A daemon may run at the same time. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../args/usage-error.ts";
import type { Context } from "../command.ts";
import { requireLocal } from "./require-local.ts";

export type { BackupReport, BackupSummary, RestoreReport, Verified } from "@hearth/warden/bun";

export const loadBackups = async () => (await import("@hearth/warden/bun")).openBackups();

/** A folder, file or target of backups, with its settings in the config. */
export interface BackupLocation {
  /** Absolute path of a folder or file, or the address of a target. */
  readonly to: string;
  readonly keep?: number;
  readonly recipients?: readonly string[];
  readonly isTarget: boolean;
}

/**
 * Finds a place as `findBackupFolder` does. Also accepts the address of a target, and `target:NAME` for a
 * target in the config.
 */
export const findBackupLocation = async (
  flag: "to" | "from",
  path: string | undefined,
  context: Pick<Context, "home" | "elsewhere" | "terminal">,
): Promise<BackupLocation> => {
  requireLocal(context);
  const { findTarget, isTarget } = await loadBackups();
  if (path === undefined || !isTarget(path))
    return { to: await findBackupFolder(flag, path, context), isTarget: false };
  const { to, keep, recipients } = await findTarget(context.home, path);
  return {
    to,
    isTarget: true,
    ...(keep === undefined ? {} : { keep }),
    ...(recipients === undefined ? {} : { recipients }),
  };
};

/**
 * Returns the absolute path of the folder or file of backups. Without `path`, it is the default
 * folder of the home. Throws `UsageError` for a house on another machine.
 */
export const findBackupFolder = async (
  flag: "to" | "from",
  path: string | undefined,
  { home, elsewhere, terminal }: Pick<Context, "home" | "elsewhere" | "terminal">,
): Promise<string> => {
  requireLocal({ elsewhere });
  if (path === "") throw new UsageError(`--${flag} is empty.`, `Give a folder: --${flag} DIR`);
  return path === undefined ? (await (await loadBackups()).backupDefaults(home)).to : resolve(terminal.cwd, path);
};

/** Reads the file with the secret key. Throws `UsageError` when it cannot be read. */
export const readIdentity = async (
  file: string | undefined,
  { terminal }: Pick<Context, "terminal">,
): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  try {
    return await readFile(resolve(terminal.cwd, file), "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read.`, "Give the file with the secret key: --identity FILE");
  }
};
