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

  const like = (row: Readonly<Record<string, unknown>>, match: object): boolean =>
    Object.entries(match).every(([column, value]) => row[column] === value);

  const apply = (next: Record<TableName, Rows>, change: Change): CommitResult => {
    for (const guard of change.guards ?? []) {
      const held =
        guard.kind === "head"
          ? next.events.filter((row) => row["stream"] === guard.stream).length === guard.offset
          : next[guard.table].some((row) => like(row, guard.where)) === (guard.kind === "exists");
      if (!held) return { kind: "refused", guard: guard.name };
    }
    const appended: Appended[] = [];
    for (const write of change.writes) {
      if (write.kind === "append") {
        const { stream, event } = write;
        const events = next.events.filter((row) => row["stream"] === stream);
        const known = events.find((row) => row["id"] === event.id);
        const head = next.heads.find((row) => row["stream"] === stream)?.["head"] ?? 0;
        const offset = Number(known?.["offset"] ?? Number(head) + 1);
        appended.push({ kind: known === undefined ? "appended" : "duplicate", stream, id: event.id, offset });
        if (known === undefined) {
          next.events = [...next.events, { ...event, stream, offset, seal: null }];
          next.heads = [...next.heads.filter((row) => row["stream"] !== stream), { stream, head: offset }];
        }
        continue;
      }
      const { table } = write;
      if (write.kind === "trim") {
        next.events = next.events.filter(
          (row) => row["stream"] !== write.where.stream || Number(row["offset"]) > write.through,
        );
        continue;
      }
      if (table === "events") {
        const isLeft = (row: Readonly<Record<string, unknown>>): boolean => row["stream"] !== write.where.stream;
        next.events = next.events.filter(isLeft);
        next.heads = next.heads.filter(isLeft);
        continue;
      }
      const { key, unique = [] }: Pick<Table, "key" | "unique"> = declared[table];
      const alike = (columns: readonly string[], a: object, b: object): boolean =>
        columns.every((column) => Reflect.get(a, column) === Reflect.get(b, column));
      if (write.kind === "insert") next[table] = [...next[table], write.row];
      if (write.kind === "put") next[table] = [...next[table].filter((row) => !alike(key, row, write.row)), write.row];
      if (write.kind === "delete") next[table] = next[table].filter((row) => !like(row, write.where));
      if (write.kind === "update")
        next[table] = next[table].map((row) => (like(row, write.where) ? { ...row, ...write.set } : row));
      const rows = next[table];
      const twins = rows.some((a, index) =>
        rows.slice(index + 1).some((b) => [key, ...unique].some((columns) => alike(columns, a, b))),
      );
      if (twins) return { kind: "conflict", table };
    }
    return { kind: "committed", appended };
  };

  return {
    commit(change) {
      const next = { ...tables };
      const result = apply(next, change);
      if (result.kind === "committed") tables = next;
      return result;
    },
    everything: () => sorted((table) => tables[table]),
  };
};
