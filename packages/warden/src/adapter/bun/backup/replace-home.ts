/**
 * Replaces the contents of a home by a backup. While the house runs, the backup is restored into
 * the folder `replacement`. The next start moves the old contents to the folder `replaced` and the
 * new ones into the home. If that start is interrupted, the next start continues the replacement.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { REPLACED, REPLACEMENT } from "../home.ts";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { restore } from "./index.ts";
import { undefinedIfMissing } from "./read-file.ts";
import type { RestoreOutcome, RestoreRequest } from "./restore.ts";

/** The folders of `replacement`. Each rename from one to the next is one step that is not repeated. */
const INCOMING = `${REPLACEMENT}/incoming`;
/** A whole home, while the old contents move out. */
const READY = `${REPLACEMENT}/ready`;
/** The contents that have not moved into the home yet. */
const ENTERING = `${REPLACEMENT}/entering`;

/** Names that stay: they describe this daemon, its past, or the replacement itself. */
const KEPT_NAMES: ReadonlySet<string> = new Set(["run", "logs", "lost+found", REPLACEMENT, REPLACED]);

/**
 * Restores a backup into the home's folder `replacement`, beside the running house. Removes what an
 * earlier attempt left. Nothing is replaced until `acceptReplacement`. Throws as `restore` does.
 */
export const prepareReplacement = async (options: RestoreRequest): Promise<RestoreOutcome> => {
  const { home } = options;
  const disk = createBackupDisk();
  const folder = join(home, REPLACEMENT);
  await disk.remove(folder);
  await disk.makeFolder(folder);
  const outcome = await restore({ ...options, home: join(home, INCOMING) });
  await disk.remove(join(home, INCOMING, "run"));
  return outcome;
};

/** Makes the next start replace the home by what `prepareReplacement` restored. */
export const acceptReplacement = async (home: string): Promise<void> => {
  const disk = createBackupDisk();
  await disk.rename(join(home, INCOMING), join(home, READY));
  await disk.syncFolder(join(home, REPLACEMENT));
  await disk.syncFolder(home);
};

/**
 * Moves an accepted replacement into the home, which no daemon uses. Without one, it removes what an
 * interrupted preparation left. Returns the folder with the old contents.
 */
export const completeReplacement = async (
  home: string,
  disk: BackupDisk = createBackupDisk(),
): Promise<string | undefined> => {
  const replacedFolder = join(home, REPLACED);
  if ((await listNames(join(home, READY))) !== undefined) {
    const oldNames = ((await listNames(home)) ?? []).filter((name) => !KEPT_NAMES.has(name));
    // Without a database, the old contents have begun to move out.
    if (oldNames.includes("hearth.db")) await disk.remove(replacedFolder);
    await disk.makeFolder(replacedFolder);
    // The database moves first, so that a start after an interruption keeps what has moved.
    const movedNames = new Set(await listNames(replacedFolder));
    for (const name of oldNames.toSorted((a, b) => rank(a) - rank(b))) {
      // The start after an interruption made an empty folder in the place of one that has moved.
      if (movedNames.has(name)) await disk.remove(join(home, name));
      else await disk.rename(join(home, name), join(replacedFolder, name));
    }
    await disk.syncFolder(replacedFolder);
    await disk.syncFolder(home);
    await disk.rename(join(home, READY), join(home, ENTERING));
    await disk.syncFolder(join(home, REPLACEMENT));
  }
  const enteringNames = await listNames(join(home, ENTERING));
  if (enteringNames === undefined) {
    await disk.remove(join(home, REPLACEMENT));
    return undefined;
  }
  for (const name of enteringNames) {
    // A start makes some empty folders.
    await disk.remove(join(home, name));
    await disk.rename(join(home, ENTERING, name), join(home, name));
  }
  await disk.syncFolder(home);
  await disk.remove(join(home, REPLACEMENT));
  await disk.syncFolder(home);
  return replacedFolder;
};

const rank = (name: string): number => (name === "hearth.db" ? 0 : 1);

const listNames = (folder: string): Promise<readonly string[] | undefined> => readdir(folder).catch(undefinedIfMissing);
