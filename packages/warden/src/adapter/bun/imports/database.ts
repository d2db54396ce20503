/**
 * Opens a database of another program. SQLite writes beside a database in WAL mode also when it only
 * reads, so a private copy is opened. The copy can be hostile: only tables are read, never views.
 */
import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyFileFrom } from "./tree.ts";

/** A value as SQLite returns it. */
type ForeignValue = string | number | Uint8Array | null;

export interface ForeignDatabase extends AsyncDisposable {
  /** Returns the columns of a table. Empty if there is no such table, also if it is a view. */
  columnsOf(table: string): ReadonlySet<string>;
  /** Reads rows one by one. */
  rows(sql: string, ...values: readonly string[]): Iterable<Record<string, ForeignValue>>;
}

/** Maximum size in bytes of a database and of its log. */
const MAX_DATABASE_BYTES = 4 * 1024 * 1024 * 1024;

/** Returns undefined if the file does not exist, and the reason if it cannot be read. */
export const openForeignDatabase = async (
  root: string,
  path: string,
): Promise<ForeignDatabase | { readonly why: string } | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-import-copy-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.sqlite");
    for (const suffix of ["", "-wal"]) {
      const result = await copyFileFrom(root, `${path}${suffix}`, `${copy}${suffix}`, MAX_DATABASE_BYTES);
      if (result === "copied" || (suffix !== "" && result === undefined)) continue;
      await remove();
      return result;
    }
    const database = openCopy(copy);
    if (database !== undefined) return toReader(database, remove);
    await remove();
    return { why: "is no intact SQLite database; stop the program that writes it, and try again" };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** Opens the copy. Returns undefined if it is damaged, for example because its program wrote meanwhile. */
const openCopy = (path: string): Database | undefined => {
  let database: Database | undefined;
  try {
    database = new Database(path, { readwrite: true, create: false });
    database.run("PRAGMA trusted_schema = OFF");
    const [checkRow] = database.query<{ readonly quick_check: string }, []>("PRAGMA quick_check(1)").all();
    if (checkRow?.quick_check === "ok") return database;
  } catch {
    // The file is not a database.
  }
  database?.close();
  return undefined;
};

const toReader = (database: Database, remove: () => Promise<void>): ForeignDatabase => ({
  columnsOf(table) {
    const [tableRow] = database
      .query<{ readonly type: string }, [string]>("SELECT type FROM sqlite_schema WHERE name = ?")
      .all(table);
    if (tableRow?.type !== "table") return new Set();
    const columns = database.query<{ readonly name: string }, [string]>("SELECT name FROM pragma_table_info(?)");
    return new Set(columns.all(table).map(({ name }) => name));
  },
  rows: (sql, ...values) => database.query<Record<string, ForeignValue>, string[]>(sql).iterate(...values),
  async [Symbol.asyncDispose]() {
    database.close();
    await remove();
  },
});
