/** One table in memory: rows by key, with unique columns and writes that can be undone. */
import { matches, type PlainRow } from "./query.ts";
import type { Table, Value } from "./tables/table.ts";

export type Undo = () => void;

export interface MemoryTable {
  /** Returns rows that include all matches. */
  candidates(match: PlainRow): Iterable<PlainRow>;
  find(match: PlainRow): readonly PlainRow[];
  /** Adds a row, or returns `conflict` and changes nothing. */
  insert(row: PlainRow): Undo | "conflict";
  remove(row: PlainRow): Undo;
  /** Copies the rows. Calling the returned function restores them. */
  copy(): Undo;
  /** Returns the row with the same key as this one. */
  findByKey(row: PlainRow): PlainRow | undefined;
}

export const createMemoryTable = ({ key, unique = [] }: Pick<Table, "key" | "unique">): MemoryTable => {
  const [primary, ...others] = [key, ...unique].map((columns) => ({ columns, rows: new Map<string, PlainRow>() }));
  if (primary === undefined) throw new TypeError("a table has a key");
  const indexes = [primary, ...others];

  const candidates = (match: PlainRow): Iterable<PlainRow> => {
    const index = indexes.find(({ columns }) => columns.every((column) => Object.hasOwn(match, column)));
    if (index === undefined) return primary.rows.values();
    const row = index.rows.get(keyOf(index.columns, match));
    return row === undefined ? [] : [row];
  };
  const add = (row: PlainRow): void => {
    for (const { columns, rows } of indexes) rows.set(keyOf(columns, row), row);
  };
  const drop = (row: PlainRow): void => {
    for (const { columns, rows } of indexes) rows.delete(keyOf(columns, row));
  };

  return {
    candidates,
    find: (match) => [...candidates(match)].filter((row) => matches(row, match)),
    insert(row) {
      if (indexes.some(({ columns, rows }) => rows.has(keyOf(columns, row)))) return "conflict";
      const stored = Object.freeze({ ...row });
      add(stored);
      return () => drop(stored);
    },
    remove(row) {
      drop(row);
      return () => add(row);
    },
    copy() {
      const copies = [...primary.rows.values()];
      return () => {
        for (const { rows } of indexes) rows.clear();
        for (const row of copies) add(row);
      };
    },
    findByKey: (row) => primary.rows.get(keyOf(primary.columns, row)),
  };
};

const keyOf = (columns: readonly string[], row: Readonly<Record<string, Value>>): string =>
  JSON.stringify(columns.map((column) => row[column]));
