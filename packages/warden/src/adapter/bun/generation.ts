/**
 * Tells whether the write-ahead log beside the database belongs to it. SQLite checks that a log is whole, not whose it is: it would
 * write the log of another database into this one. So the database holds a random generation, renewed at each start, and
 * `hearth.db-generation` names those that a log beside it may belong to.
 */
import { constants, Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";

const fileOf = (path: string): string => `${path}-generation`;

/** Before the database is opened. Throws `store.foreign` when the log beside it is that of another database. */
export const checkGeneration = (path: string): void => {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const accepted = readAccepted(path);
  const found = readGeneration(path);
  if (accepted === undefined || found === undefined || accepted.includes(found)) return;
  throw new HearthError(
    "store.foreign",
    `${path}-wal is the log of another database than ${path}, which was replaced.`,
    {
      hint: `If you restored ${path} from a backup, move ${path}-wal and ${path}-shm out of the home, then start again. Otherwise put the database back that they belong to.`,
    },
  );
};

/** Renews it. Whenever this is cut off, the database and the file still agree. */
export const renewGeneration = (database: SqlDatabase, path: string, fresh: string): void => {
  if (database.inTransaction()) return;
  const [row] = database.all("select generation from generations");
  const before = typeof row?.["generation"] === "string" ? [row["generation"]] : [];
  writeAccepted(path, [...before, fresh]);
  database.run("begin immediate");
  database.run("delete from generations");
  database.run("insert into generations (generation) values (?)", [fresh]);
  database.run("commit");
  // Until the log is written back the file of the database still holds the generation before.
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

/** As the file alone has it, without its log. Nothing where that cannot be read: it is older than generations, or half written back. */
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
