/** Reads a copy of a database without changing it, even from a read-only disk. */
import { constants, Database } from "bun:sqlite";
import type { Store } from "../../../kernel/store/store.ts";
import { readFrozenText, hashesIn } from "../../../kernel/store/blob-names.ts";
import type { HomeBlobs } from "./home-blobs.ts";
import { isCurrentSchema } from "../../../kernel/store/schema.ts";
import type { Table, Value } from "../../../kernel/store/tables/table.ts";
import { tables } from "../../../kernel/store/tables/tables.ts";
import { type ReadableDatabase, createSelect } from "../audit/offline-audit-log.ts";

export interface Snapshot extends ReadableDatabase, Pick<Store, "select">, Disposable {
  /** False: an older Hearth wrote it, so tables and columns may be missing. */
  readonly hasCurrentSchema: boolean;
  /** Yields rows one at a time, for a table that does not fit into memory. */
  iterate(sql: string): Iterable<Readonly<Record<string, Value>>>;
}

/** Opens the copy. Throws `store.foreign` if a newer Hearth wrote the database. */
export const openSnapshot = (path: string): Snapshot => {
  const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?immutable=1`;
  const database = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  const rows: ReadableDatabase = {
    all: (sql, parameters = []) => database.query<Record<string, Value>, Value[]>(sql).all(...parameters),
  };
  try {
    const hasCurrentSchema = isCurrentSchema(rows);
    return {
      ...rows,
      ...createSelect(rows),
      hasCurrentSchema,
      iterate: (sql) => database.prepare<Record<string, Value>, []>(sql).iterate(),
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Number of activations per page. */
const ACTIVATIONS_PER_PAGE = 500;

export interface ReferencedBlobs {
  /** Blobs that hold the body of a row. */
  readonly bodies: ReadonlySet<string>;
  /**
   * Hashes in frozen inputs: blobs, and other hashes that the inputs contain. In a database of an
   * older Hearth: every blob of the home.
   */
  readonly inputs: ReadonlySet<string>;
}

/** Returns every hash by which the house can find a blob. */
export const findReferencedBlobs = async (
  snapshot: Snapshot,
  blobs: Pick<HomeBlobs, "get" | "list">,
): Promise<ReferencedBlobs> => {
  if (!snapshot.hasCurrentSchema) return { bodies: new Set(), inputs: new Set(await blobs.list()) };
  const bodies = new Set<string>();
  for (const [table, { blob }] of Object.entries<Table>(tables)) {
    if (blob === undefined) continue;
    const { column, ifNull } = blob;
    const isOwn = ifNull === undefined ? "" : ` and ${ifNull} is null`;
    const rows = snapshot.all(`select distinct ${column} as hash from ${table} where ${column} is not null${isOwn}`);
    for (const { hash } of rows) bodies.add(String(hash));
  }
  const inputs = new Set<string>();
  for (let lastId = ""; ;) {
    const rows = await snapshot.select({
      table: "activations",
      and: [{ column: "id", is: ">", value: lastId }],
      order: [{ column: "id" }],
      limit: ACTIVATIONS_PER_PAGE,
    });
    for (const row of rows)
      for (const hash of hashesIn((await readFrozenText(blobs, row)) ?? "")) if (!bodies.has(hash)) inputs.add(hash);
    lastId = rows.at(-1)?.id ?? "";
    if (rows.length < ACTIVATIONS_PER_PAGE) return { bodies, inputs };
  }
};
