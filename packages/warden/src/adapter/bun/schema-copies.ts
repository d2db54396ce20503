/**
 * Copies of the database that schema updates make first: `copies/hearth-schema-NUMBER-INSTANT.db` in
 * the home.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";

const COPIES_FOLDER = "copies";
const COPY_NAME = /^hearth-schema-(\d+)-(\d+)\.db$/;
/** Number of copies that are kept, newest first. */
const MAX_COPIES = 2;
/**
 * Number of database sizes that are needed: one for the copy, and two for an update that writes
 * every table once to the log and once to the file.
 */
const NEEDED_SIZES = 3;
/** Space that stays free beside the copy and the update. */
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
  const neededBytes = neededBytesOf(database);
  const spareBytes = database.freeBytes();
  if (spareBytes < neededBytes) throw noRoomError(folder, neededBytes, spareBytes);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = copyPath(home, version, now);
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
  for (const oldCopy of listCopies(home).slice(MAX_COPIES)) rmSync(oldCopy.path);
  return path;
};

/** Returns the free space that the copy and the update need. */
export const neededBytesOf = (database: Pick<SqlDatabase, "all">): number =>
  NEEDED_SIZES * sizeOf(database) + RESERVE_BYTES;

/** Returns the absolute path of a copy of a database with this schema. */
export const copyPath = (home: string, schema: number, now: number): string =>
  join(home, COPIES_FOLDER, `hearth-schema-${schema}-${now}.db`);

/** Removes all copies for an erasure, because they contain the erased text. */
export const removeCopies = (home: string): void => {
  for (const { path } of listCopies(home)) rmSync(path);
};

export interface SchemaCopy {
  /** Absolute path. */
  readonly path: string;
  readonly schema: number;
  /** UTC milliseconds. */
  readonly at: number;
}

/** Returns the copies, newest first. */
export const listCopies = (home: string): readonly SchemaCopy[] => {
  const folder = join(home, COPIES_FOLDER);
  try {
    return readdirSync(folder)
      .flatMap((name) => {
        const [, schema, at] = COPY_NAME.exec(name) ?? [];
        return at === undefined ? [] : [{ path: join(folder, name), schema: Number(schema), at: Number(at) }];
      })
      .toSorted((a, b) => b.at - a.at);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
};

export const sizeOf = (database: Pick<SqlDatabase, "all">): number => {
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

const noRoomError = (folder: string, neededBytes: number, spareBytes: number): HearthError =>
  new HearthError(
    "store.unavailable",
    `Hearth cannot update the database: a copy in ${folder} and the update need ${Math.ceil(neededBytes / MIB)} MiB but the disk has ${Math.floor(spareBytes / MIB)} MiB free.`,
    { hint: "Free space on the disk of the home folder, then start Hearth again. The database was not changed." },
  );
