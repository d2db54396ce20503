/**
 * Copies of the database from before schema updates: `copies/hearth-schema-NUMBER-INSTANT.db` in
 * the home.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";

const COPIES_FOLDER = "copies";
const COPY = /^hearth-schema-\d+-(\d+)\.db$/;
/** How many copies are kept, newest first. */
const KEPT = 2;
/**
 * Times the size of the database: the copy, and an update that writes every table once to the log
 * and once to the file.
 */
const NEEDED_SIZES = 3;
/** Space to leave free beside them. */
const RESERVE_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

/**
 * Copies the whole database as one consistent file. Throws `store.unavailable` when the disk has no
 * room for it.
 */
export const copyBeforeUpdate = (
  database: SqlDatabase,
  options: { readonly home: string; readonly version: number; readonly now: number },
): string => {
  const { home, version, now } = options;
  const folder = join(home, COPIES_FOLDER);
  const neededBytes = NEEDED_SIZES * sizeOf(database) + RESERVE_BYTES;
  const spareBytes = database.spare();
  if (spareBytes < neededBytes) throw noRoom(folder, neededBytes, spareBytes);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `hearth-schema-${version}-${now}.db`);
  const part = `${path}.part`;
  rmSync(part, { force: true });
  // SQLite accepts an existing empty file and keeps its mode.
  closeSync(openSync(part, "wx", 0o600));
  try {
    database.run("vacuum into ?", [part]);
    sync(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  sync(folder);
  for (const name of copiesIn(folder).slice(KEPT)) rmSync(join(folder, name));
  return path;
};

/** For an erasure, because the copies contain the erased text. */
export const removeCopies = (home: string): void => {
  const folder = join(home, COPIES_FOLDER);
  for (const name of copiesIn(folder)) rmSync(join(folder, name));
};

/** Newest first. */
const copiesIn = (folder: string): readonly string[] => {
  const instantOf = (name: string): number => Number(COPY.exec(name)?.[1]);
  try {
    const names = readdirSync(folder).filter((name) => COPY.test(name));
    return names.toSorted((one, other) => instantOf(other) - instantOf(one));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
};

const sizeOf = (database: SqlDatabase): number => {
  const pragma = (name: string): number => Number(database.all(`pragma ${name}`)[0]?.[name]);
  return pragma("page_count") * pragma("page_size");
};

const sync = (path: string): void => {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const noRoom = (folder: string, neededBytes: number, spareBytes: number): HearthError =>
  new HearthError(
    "store.unavailable",
    `Hearth cannot update the database: a copy in ${folder} and the update need ${Math.ceil(neededBytes / MIB)} MiB but the disk has ${Math.floor(spareBytes / MIB)} MiB free.`,
    { hint: "Free space on the disk of the home folder, then start Hearth again. The database was not changed." },
  );
