/**
 * Creates and opens the file of an index, and moves a damaged one away. The index is derived from
 * the brain's files, so deleting it loses no data.
 */
import { HearthError, isHearthError } from "@hearth/protocol";
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Raise this when the tables or their contents change. `openIndexFile` replaces an index of another
 * format by an empty one, and the house then indexes the brain's files again.
 */
const FORMAT_VERSION = 2;

const TABLES = `
  create table meta (key text primary key, value text not null) strict, without rowid;
  create table files (path text primary key, hash text not null, first integer not null, size integer not null,
    words blob not null, checksum integer not null) strict;
  create table chunks (id integer primary key, body text not null, checksum integer not null) strict;
  create table terms (id integer primary key, term text not null unique) strict;
  create table coarse_vectors (chunk integer primary key, vector blob not null) strict;
  create table fine_vectors (chunk integer primary key, vectors blob not null) strict;
`;

const SETTINGS = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma secure_delete = on;
  pragma temp_store = memory;
  pragma cache_size = -8192;
`;

/**
 * Opens or creates the file. Throws `memory.damaged` for a file that is not an index, and
 * `store.unavailable` if it cannot be created.
 */
export const openIndexFile = (path: string): Database =>
  mapSqliteErrors(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new Database(path);
    try {
      chmodSync(path, 0o600);
      database.run(SETTINGS);
      const version = database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version;
      const tables = database.query<{ count: number }, []>("select count(*) as count from sqlite_schema").get()?.count;
      if (version === 0 && tables === 0)
        database.run(`begin; ${TABLES} pragma user_version = ${FORMAT_VERSION}; commit;`);
      else if (version === 0) throw new RangeError("it contains the tables of another application");
      else if (version !== FORMAT_VERSION) {
        database.close();
        eraseIndexFile(path);
        return openIndexFile(path);
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });

/** Checkpoints and truncates the WAL, so that removed text is no longer on the disk. */
export const flushIndexFile = (database: Database): void => {
  database.run("pragma wal_checkpoint(truncate)");
};

/** Returns the inode of the file at `path`, or `undefined` if it does not exist. */
export const identityOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/**
 * Deletes the index and its WAL files. An index that is still open disappears when it is closed.
 */
export const eraseIndexFile = (path: string): void => {
  for (const suffix of ["", ...WAL_SUFFIXES]) rmSync(`${path}${suffix}`, { force: true });
  deleteDamagedCopy(path);
};

/** Suffixes of the files that SQLite keeps while the index is open, or leaves after a crash. */
const WAL_SUFFIXES = ["-wal", "-shm"] as const;

export const deleteDamagedCopy = (path: string): void => rmSync(`${path}${DAMAGED_SUFFIX}`, { force: true });

const DAMAGED_SUFFIX = ".damaged";

/**
 * Moves a damaged index away, so that a new one can be created. The old file may contain text that
 * must be forgotten, so the next `setAside` replaces it and the new index's `scrub` deletes it.
 */
export const setAside = (path: string): void => {
  for (const suffix of WAL_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
  if (existsSync(path)) renameSync(path, `${path}${DAMAGED_SUFFIX}`);
};

/**
 * Maps SQLite errors to two codes: `memory.damaged`, which a rebuild repairs, and
 * `store.unavailable`. A RangeError from `work` means unexpected contents, so it counts as damage.
 */
export const mapSqliteErrors = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (cause) {
    if (isHearthError(cause)) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (cause instanceof RangeError || DAMAGE_CODES.test(code) || String(cause).includes("unsupported file format")) {
      throw new HearthError("memory.damaged", `The index ${path} is damaged: ${String(cause)}`, {
        hint: "It is rebuilt from the files of the brain; nothing is lost. Check the disk if this happens again.",
        cause,
      });
    }
    if (DISK_CODES.test(code)) {
      throw new HearthError("store.unavailable", `Cannot use the index ${path}: ${String(cause)}`, {
        hint: "Check that the disk has space left and that the home folder can be written.",
        cause,
      });
    }
    throw cause;
  }
};

/**
 * Matches errors that mean damage. SQLite reports a missing table, or one with other columns, as
 * plain SQLITE_ERROR.
 */
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|MISMATCH|CONSTRAINT|FORMAT)/;
const DISK_CODES = /^SQLITE_(FULL|IOERR|NOMEM|READONLY|CANTOPEN|PROTOCOL|BUSY)|^E[A-Z]+$/;
