/** The reference model of stores: lists of rows, copied before each change. */
import type { Table } from "../tables/table.ts";
import type { Appended, Change, CommitResult } from "../store.ts";
import { type TableName, tableNames, tables as declared } from "../tables/tables.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];
export type Everything = { readonly [Table in TableName]: Rows };

/** Rows of every table in a canonical order. */
export const sorted = (tables: (table: TableName) => Rows): Everything =>
  Object.fromEntries(
    tableNames.map((table) => {
      const key = (row: Readonly<Record<string, unknown>>): string =>
        JSON.stringify(declared[table].key.map((column) => row[column]));
      return [table, tables(table).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))];
    }),
  ) as unknown as Everything;

export const createModel = (): { commit(change: Change): CommitResult; everything(): Everything } => {
  let tables = Object.fromEntries(tableNames.map((table) => [table, [] as Rows])) as Record<TableName, Rows>;

  const matchesRow = (row: Readonly<Record<string, unknown>>, match: object): boolean =>
    Object.entries(match).every(([column, value]) => row[column] === value);

  const apply = (nextTables: Record<TableName, Rows>, change: Change): CommitResult => {
    for (const guard of change.guards ?? []) {
      const isSatisfied =
        guard.kind === "head"
          ? nextTables.events.filter((row) => row["stream"] === guard.stream).length === guard.offset
          : nextTables[guard.table].some((row) => matchesRow(row, guard.where)) === (guard.kind === "exists");
      if (!isSatisfied) return { kind: "refused", guard: guard.name };
    }
    const appended: Appended[] = [];
    for (const write of change.writes) {
      if (write.kind === "append") {
        const { stream, event } = write;
        const events = nextTables.events.filter((row) => row["stream"] === stream);
        const existing = events.find((row) => row["id"] === event.id);
        const head = nextTables.heads.find((row) => row["stream"] === stream)?.["head"] ?? 0;
        const offset = Number(existing?.["offset"] ?? Number(head) + 1);
        appended.push({ kind: existing === undefined ? "appended" : "duplicate", stream, id: event.id, offset });
        if (existing === undefined) {
          nextTables.events = [...nextTables.events, { ...event, stream, offset, seal: null }];
          nextTables.heads = [...nextTables.heads.filter((row) => row["stream"] !== stream), { stream, head: offset }];
        }
        continue;
      }
      const { table } = write;
      if (write.kind === "trim") {
        nextTables.events = nextTables.events.filter(
          (row) => row["stream"] !== write.where.stream || Number(row["offset"]) > write.through,
        );
        continue;
      }
      if (table === "events") {
        const isOtherStream = (row: Readonly<Record<string, unknown>>): boolean => row["stream"] !== write.where.stream;
        nextTables.events = nextTables.events.filter(isOtherStream);
        nextTables.heads = nextTables.heads.filter(isOtherStream);
        continue;
      }
      const { key, unique = [] }: Pick<Table, "key" | "unique"> = declared[table];
      const areEqual = (columns: readonly string[], a: object, b: object): boolean =>
        columns.every((column) => Reflect.get(a, column) === Reflect.get(b, column));
      if (write.kind === "insert") nextTables[table] = [...nextTables[table], write.row];
      if (write.kind === "put")
        nextTables[table] = [...nextTables[table].filter((row) => !areEqual(key, row, write.row)), write.row];
      if (write.kind === "delete") nextTables[table] = nextTables[table].filter((row) => !matchesRow(row, write.where));
      if (write.kind === "update")
        nextTables[table] = nextTables[table].map((row) =>
          matchesRow(row, write.where) ? { ...row, ...write.set } : row,
        );
      const rows = nextTables[table];
      const hasDuplicates = rows.some((a, index) =>
        rows.slice(index + 1).some((b) => [key, ...unique].some((columns) => areEqual(columns, a, b))),
      );
      if (hasDuplicates) return { kind: "conflict", table };
    }
    return { kind: "committed", appended };
  };

  return {
    commit(change) {
      const nextTables = { ...tables };
      const result = apply(nextTables, change);
      if (result.kind === "committed") tables = nextTables;
      return result;
    },
    everything: () => sorted((table) => tables[table]),
  };
};
