/** Replaces the database by an earlier copy of it. A crash leaves one of the two. */
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
  /** Absolute path for a copy of the present database. When absent, the present database is not kept. */
  readonly keep?: string;
}

/** Replaces the database. Throws `store.damaged` for a damaged copy, and then changes nothing. */
export const replaceDatabase = async ({ home, copy, disk, keep }: PutBackOptions): Promise<void> => {
  const path = join(home, DATABASE);
  const draft = `${path}.next`;
  await disk.remove(draft);
  await disk.create(draft, (to) => copyFile(copy, to));
  requireWhole(draft, copy);
  emptyLog(path);
  if (keep !== undefined) {
    await disk.makeFolder(dirname(keep));
    await disk.create(`${keep}.part`, (to) => copyFile(path, to));
    await disk.rename(`${keep}.part`, keep);
    await disk.syncFolder(dirname(keep));
  }
  await disk.rename(draft, path);
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

/** Moves the write-ahead log into the database and empties it. Otherwise SQLite would apply the log to the copy. */
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
