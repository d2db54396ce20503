/**
 * Checks that the write-ahead log next to the database belongs to it. SQLite checks that a log is
 * intact, not whose it is, so it would apply another database's log to this one. Therefore the
 * database holds a random generation, renewed at each start, and `hearth.db-generation` lists the
 * generations that a log may belong to.
 */
import { constants, Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";

const fileOf = (path: string): string => `${path}-generation`;

/**
 * Called before the database is opened. Throws `store.foreign` when the log belongs to another
 * database.
 */
export const checkGeneration = (path: string): void => {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const accepted = readAccepted(path);
  const found = readGeneration(path);
  if (accepted === undefined || found === undefined || accepted.includes(found)) return;
  throw new HearthError("store.foreign", `${path}-wal belongs to another database: ${path} was replaced.`, {
    hint: `If you restored ${path} from a backup, move ${path}-wal and ${path}-shm out of the home, then start again. Otherwise restore the database that they belong to.`,
  });
};

/**
 * Renews the generation. The database and the file agree even if this is interrupted at any point.
 */
export const renewGeneration = (database: SqlDatabase, path: string, fresh: string): void => {
  if (database.inTransaction()) return;
  const [row] = database.all("select generation from generations");
  const before = typeof row?.["generation"] === "string" ? [row["generation"]] : [];
  writeAccepted(path, [...before, fresh]);
  database.run("begin immediate");
  database.run("delete from generations");
  database.run("insert into generations (generation) values (?)", [fresh]);
  database.run("commit");
  // Until the checkpoint, the database file still has the previous generation.
  const [checkpoint] = database.all("pragma wal_checkpoint(truncate)");
  if (checkpoint?.["busy"] === 0) writeAccepted(path, [fresh]);
};

const readAccepted = (path: string): readonly string[] | undefined => {
  try {
    return readFileSync(fileOf(path), "utf8").split("\n").filter(Boolean);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};

const writeAccepted = (path: string, generations: readonly string[]): void => {
  const next = `${fileOf(path)}.next`;
  writeFileSync(next, `${generations.join("\n")}\n`, { mode: 0o600 });
  const file = openSync(next, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, fileOf(path));
};

/**
 * The generation in the database file alone, without its log. Undefined when it cannot be read: the
 * file is older than generations, or partly checkpointed.
 */
const readGeneration = (path: string): string | undefined => {
  const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?immutable=1`;
  try {
    using database = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
    const row = database.query<{ generation: string }, []>("select generation from generations").get();
    return row?.generation;
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") return undefined;
    throw error;
  }
};
