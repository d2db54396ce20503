/** The file that an index lives in: made, opened, and set aside when it is damaged. It is derived: nothing is lost with it. */
import { HearthError } from "@hearth/protocol";
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Raised when the tables or what they hold change. An index of another format is thrown away, and made anew by whoever has the files. */
const FORMAT = 2;

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

/** Throws `memory.damaged` for a file that is no index, and `store.unavailable` where there can be none. */
export const openIndexFile = (path: string): Database =>
  attempt(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new Database(path);
    try {
      chmodSync(path, 0o600);
      database.run(SETTINGS);
      const version = database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version;
      const tables = database.query<{ count: number }, []>("select count(*) as count from sqlite_schema").get()?.count;
      if (version === 0 && tables === 0) database.run(`begin; ${TABLES} pragma user_version = ${FORMAT}; commit;`);
      else if (version === 0) throw new RangeError("it has tables of something else");
      else if (version !== FORMAT) {
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

/** Writes out what the log beside the file holds, and empties it: what was removed is then nowhere. */
export const flushIndexFile = (database: Database): void => void database.run("pragma wal_checkpoint(truncate)");

/** What tells the file at a path from any other that was there or will be: nothing while there is none. */
export const identityOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Of one that is open nothing stays once it is closed. */
export const eraseIndexFile = (path: string): void => {
  for (const ending of ["", ...BESIDE]) rmSync(`${path}${ending}`, { force: true });
  forgetSetAside(path);
};

/** What is beside an index while it is open, or after a crash. */
const BESIDE = ["-wal", "-shm"] as const;

export const forgetSetAside = (path: string): void => rmSync(`${path}${SET_ASIDE}`, { force: true });

const SET_ASIDE = ".damaged";

/** Makes place for a new one. What was there is kept until the next one is set aside or something is scrubbed: it may hold what is to be forgotten. */
export const setAside = (path: string): void => {
  for (const ending of BESIDE) rmSync(`${path}${ending}`, { force: true });
  if (existsSync(path)) renameSync(path, `${path}${SET_ASIDE}`);
};

/** The same failures everywhere: damage can be mended by a rebuild, a full disk cannot. */
export const attempt = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof HearthError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (cause instanceof RangeError || DAMAGE.test(code) || String(cause).includes("unsupported file format")) {
      throw new HearthError("memory.damaged", `The index ${path} is damaged: ${String(cause)}`, {
        hint: "It is made anew from the files of the brain; nothing is lost. See that the disk is well.",
        cause,
      });
    }
    if (DISK.test(code)) {
      throw new HearthError("store.unavailable", `The index ${path} cannot be used: ${String(cause)}`, {
        hint: "Check that the disk has free space and that the home folder is writable.",
        cause,
      });
    }
    throw cause;
  }
};

/** An error without more to it is what a table that is not there, or not so, comes out as. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|MISMATCH|CONSTRAINT|FORMAT)/;
const DISK = /^SQLITE_(FULL|IOERR|NOMEM|READONLY|CANTOPEN|PROTOCOL|BUSY)|^E[A-Z]+$/;
