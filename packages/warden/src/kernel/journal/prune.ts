/**
 * Deletes rows that are older than the retention of their table. The declarations in `store/tables`
 * name the tables and their settings. Each commit deletes few rows, so that other commits do not
 * wait long.
 */
import type { Clock } from "@hearth/protocol";
import type { Query, Store, Write } from "../store/store.ts";
import type { Ageing, RetentionSetting, Table, Value } from "../store/tables/table.ts";
import { type TableName, tables } from "../store/tables/tables.ts";

export interface PruneOptions {
  readonly clock: Pick<Clock, "turn">;
  readonly store: Pick<Store, "select" | "commit" | "waitUntilIdle">;
  /** The instants by setting. Rows from this instant or earlier are old. */
  readonly oldest: Readonly<Record<RetentionSetting, number>>;
  /** Ends the deletion before its next commit. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of rows per commit. */
const BATCH_SIZE = 50;

type PlainRow = Readonly<Record<string, Value>>;
type AgeingTable = Table & { readonly name: string; readonly retention: Ageing };

/** The tables whose rows are deleted by age. */
export const ageingTables: readonly AgeingTable[] = Object.entries<Table>(tables).flatMap(([name, table]) =>
  typeof table.retention === "object" ? [{ ...table, name, retention: table.retention }] : [],
);

/** Deletes old rows. Returns the number of deleted rows of each table that had any. */
export const prune = async (options: PruneOptions): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  for (const table of ageingTables) {
    const count = await pruneTable(table, options);
    if (count > 0) counts[table.name] = count;
  }
  return counts;
};

const pruneTable = async (table: AgeingTable, { clock, store, oldest, signal }: PruneOptions): Promise<number> => {
  const { since, setting } = table.retention;
  const keptKeys = new Set<string>();
  for (let count = 0; ;) {
    if (signal?.aborted === true) return count;
    // Rows that stay come first each time.
    const limit = BATCH_SIZE + keptKeys.size;
    const rows = await selectRows(store, {
      table: table.name,
      and: [{ column: since, is: "<=", value: oldest[setting] }],
      order: [{ column: since }],
      limit,
    });
    const expired: PlainRow[] = [];
    for (const row of rows) {
      if (keptKeys.has(keyOf(table, row))) continue;
      if (await isLast(store, table, row)) keptKeys.add(keyOf(table, row));
      else expired.push(row);
    }
    // A power cut may lose the deletion. The next sweep then deletes these rows again.
    if (expired.length > 0)
      await store.commit({ writes: expired.map((row) => toDelete(table, row)), isReproducible: true });
    count += expired.length;
    if (rows.length < limit) return count;
    await clock.turn();
    await store.waitUntilIdle();
  }
};

/** Whether the row is the last one of its group, which stays. */
const isLast = async (
  store: Pick<Store, "select" | "commit" | "waitUntilIdle">,
  { name, retention: { keepsLast } }: AgeingTable,
  row: PlainRow,
): Promise<boolean> => {
  if (keepsLast === undefined) return false;
  const { of, by } = keepsLast;
  const laterRows = await selectRows(store, {
    table: name,
    where: pick(row, of),
    and: [{ column: by, is: ">", value: row[by] ?? null }],
    order: [{ column: by }],
    limit: 1,
  });
  return laterRows.length === 0;
};

/**
 * Returns the deletion. The instant is part of its condition, so that a row that changed meanwhile
 * stays.
 */
const toDelete = ({ name, key, retention: { since } }: AgeingTable, row: PlainRow): Write =>
  // The type of the table is unknown here.
  ({ kind: "delete", table: name, where: pick(row, [...key, since]) }) as unknown as Write;

const keyOf = ({ key }: AgeingTable, row: PlainRow): string => JSON.stringify(key.map((column) => row[column]));

const pick = (row: PlainRow, columns: readonly string[]): PlainRow =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

const selectRows = async (
  store: Pick<Store, "select" | "commit" | "waitUntilIdle">,
  query: {
    readonly table: string;
    readonly where?: PlainRow;
    readonly and: readonly { readonly column: string; readonly is: "<=" | ">"; readonly value: Value }[];
    readonly order: readonly { readonly column: string }[];
    readonly limit: number;
  },
): Promise<readonly PlainRow[]> =>
  // A query names columns of one table, whose type is unknown here.
  store.select(query as unknown as Query<TableName>);
