/**
 * Reads the audit log of a home whose daemon is not running, from its files and without changing
 * them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { type AuditLog, type AuditReaderParts, createAuditLog } from "../../../kernel/audit/audit.ts";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { selectSql } from "../../../kernel/store/sql.ts";
import type { Query, Store } from "../../../kernel/store/store.ts";
import type { Row, TableName } from "../../../kernel/store/tables/tables.ts";
import { createHomeBlobs } from "../backup/home-blobs.ts";
import { openSqlite } from "../sqlite.ts";
import { createBunWorld } from "../world.ts";
import { createAnchorFiles } from "./anchor.ts";
import { KEY_FILE, RESTORE_KEY_HINT, readAuditKeys, toSealKeys } from "./key.ts";

/** The part of a database that reads it. */
export type ReadableDatabase = Pick<SqlDatabase, "all">;

export interface OfflineAuditLog extends AuditLog, Disposable {
  /**
   * The present records that the rows refer to, and every house with a log, the first house first.
   */
  records(): Promise<readonly { readonly type: string; readonly id: string; readonly handle: string }[]>;
}

/**
 * Opens the log. Throws `store.*` if there is no log to read. Must be disposed, because it holds
 * the database open.
 */
export const openOfflineAuditLog = async (home: string): Promise<OfflineAuditLog> => {
  const path = join(home, "hearth.db");
  if (!existsSync(path)) throw noAuditLogError(`${home} has no hearth.db.`, "Give the home folder: --home DIR");
  const storedKeys = await readAuditKeys(home);
  if (storedKeys === undefined) throw noAuditLogError(`${KEY_FILE} is not in ${home}.`, RESTORE_KEY_HINT);
  const database = openSqlite(path);
  try {
    const [column] = database.all("select 1 from pragma_table_info('events') where name = 'seal'");
    if (column === undefined)
      throw noAuditLogError(
        `${path} was written by a version of Hearth without an audit log.`,
        "Start the house once: hearth up",
      );
    const [segments] = database.all("select 1 from sqlite_schema where name = 'audit_segments'");
    if (segments === undefined)
      throw noAuditLogError(`${path} was written by an older version of Hearth.`, "Start the house once: hearth up");
    const parts = { keys: toSealKeys(storedKeys), anchor: createAnchorFiles(home) };
    return { ...auditOf(database, parts, createHomeBlobs(home)), [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Returns the log in a database that no daemon is writing. */
export const auditOf = (
  database: ReadableDatabase,
  parts: AuditReaderParts,
  blobs: Pick<Blobs, "get">,
): Omit<OfflineAuditLog, typeof Symbol.dispose> => {
  const store = createSelect(database);
  const log = createAuditLog({ clock: createBunWorld().clock, store, blobs, parts });
  return {
    ...log,
    async records() {
      const records = await store.select({ table: "records" });
      const handles = new Map(records.map(({ id, handle }) => [id, handle]));
      const houses = (await log.houses()).map((id) => ({ type: "house", id, handle: handles.get(id) ?? id }));
      return [...houses, ...records.filter(({ type }) => type !== "house")];
    },
  };
};

/** Reads rows of a database without the rest of the store. */
export const createSelect = (database: ReadableDatabase): Pick<Store, "select"> => ({
  select: async <Table extends TableName>(query: Query<Table>) => {
    const { text, parameters } = selectSql(query);
    return database.all(text, parameters) as unknown as readonly Row<Table>[];
  },
});

const noAuditLogError = (message: string, hint: string): HearthError =>
  new HearthError("store.unavailable", message, { hint });
