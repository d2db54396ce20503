/**
 * Checks that the write-ahead log next to the database belongs to it. SQLite checks only that a log
 * is intact, so it would also apply the log of another database. Therefore each start writes a random
 * generation into the database, and `hearth.db-generation` lists the generations whose log is accepted.
 */
import { constants, Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";

const fileOf = (path: string): string => `${path}-generation`;

/**
 * Throws `store.foreign` if the log belongs to another database. Call this before the database is
 * opened.
 */
export const checkGeneration = (path: string): void => {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const acceptedGenerations = readAccepted(path);
  const generation = readGeneration(path);
  if (acceptedGenerations === undefined || generation === undefined || acceptedGenerations.includes(generation)) return;
  throw new HearthError("store.foreign", `${path}-wal belongs to another database: ${path} was replaced.`, {
    hint: `If you restored ${path} from a backup, move ${path}-wal and ${path}-shm out of the home, then start again. Otherwise restore the database that they belong to.`,
  });
};

/**
 * Renews the generation. If this is interrupted, the file still lists the generation of the database.
 */
export const renewGeneration = (database: SqlDatabase, path: string, newGeneration: string): void => {
  if (database.inTransaction()) return;
  const [row] = database.all("select generation from generations");
  const previousGenerations = typeof row?.["generation"] === "string" ? [row["generation"]] : [];
  writeAccepted(path, [...previousGenerations, newGeneration]);
  database.run("begin immediate");
  database.run("delete from generations");
  database.run("insert into generations (generation) values (?)", [newGeneration]);
  database.run("commit");
  // Until the checkpoint, the database file still has the previous generation.
  const [checkpoint] = database.all("pragma wal_checkpoint(truncate)");
  if (checkpoint?.["busy"] === 0) writeAccepted(path, [newGeneration]);
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
  const temporaryPath = `${fileOf(path)}.next`;
  writeFileSync(temporaryPath, `${generations.join("\n")}\n`, { mode: 0o600 });
  const file = openSync(temporaryPath, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporaryPath, fileOf(path));
};

/**
 * Returns the generation in the database file alone, without its log. Returns undefined if it
 * cannot be read: the file was written before generations existed, or a checkpoint was interrupted.
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
