/** Puts a copy of the database in place of the present one, so that a crash leaves one of the two. */
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { BackupDisk } from "../backup/backup-disk.ts";
import { DATABASE } from "../backup/manifest.ts";
import { openSqlite, readSqlite } from "../sqlite.ts";
import { checkPages } from "../storage/examine.ts";

export interface PutBackOptions {
  /** Absolute path of a home that this process has locked. */
  readonly home: string;
  /** Absolute path of the copy, which stays. */
  readonly copy: string;
  readonly disk: BackupDisk;
  /** Absolute path for a copy of the present database. Absent: it is not kept. */
  readonly keep?: string;
}

/** Throws `store.damaged` for a damaged copy; then nothing was changed. */
export const replaceDatabase = async ({ home, copy, disk, keep }: PutBackOptions): Promise<void> => {
  const path = join(home, DATABASE);
  const next = `${path}.next`;
  await disk.remove(next);
  await disk.create(next, (to) => copyFile(copy, to));
  requireWhole(next, copy);
  emptyLog(path);
  if (keep !== undefined) {
    await disk.makeFolder(dirname(keep));
    await disk.create(`${keep}.part`, (to) => copyFile(path, to));
    await disk.rename(`${keep}.part`, keep);
    await disk.syncFolder(dirname(keep));
  }
  await disk.rename(next, path);
  await disk.syncFolder(home);
};

const requireWhole = (path: string, copy: string): void => {
  using database = readSqlite(path);
  const pages = checkPages(database, false);
  if (pages.ok) return;
  throw new HearthError("store.damaged", `The copy ${copy} is damaged: ${pages.detail}`, {
    hint: "Nothing was changed. Restore a backup instead: hearth restore --from DIR",
  });
};

/** Moves the log into the file. Empties the WAL. Otherwise SQLite would apply it to the copy. */
const emptyLog = (path: string): void => {
  const database = openSqlite(path);
  try {
    const [row] = database.all("pragma wal_checkpoint(truncate)");
    if (row?.["busy"] === 0) return;
    throw new HearthError("store.locked", `Another process uses ${path}.`, {
      hint: "Stop that process, then try again.",
    });
  } finally {
    database.close();
  }
};
