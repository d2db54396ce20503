/** Extracts the rows of every table of a damaged database by walking its b-trees page by page. */
import { type ColumnValue, createPageFile, type PageFile } from "./pages.ts";
import type { SqlDatabase } from "../../../kernel/store/database.ts";

export interface TableLayout {
  readonly name: string;
  /** The columns in the order of a record. */
  readonly columns: readonly { readonly name: string; readonly isText: boolean; readonly mayBeNull: boolean }[];
  /** Minimum number of columns of a record: up to the last one that is neither nullable nor has a default. */
  readonly minColumns: number;
}

export interface Salvaged {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, ColumnValue>>[];
  /** Pages of the table that could not be read completely. */
  readonly damagedPages: readonly number[];
}

/** Extracts the rows. `newDatabase` is an empty database of the same schema, whose tables define the columns. */
export const salvage = (bytes: Uint8Array, newDatabase: SqlDatabase): readonly Salvaged[] => {
  const file = createPageFile(bytes);
  const newRoots = new Map(
    newDatabase
      .all(
        "select name, rootpage from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'migrations%' " +
          // Triggers rebuild the indexes of messages and attachments.
          "and name <> 'commit_marks' and name not in ('message_index', 'unlisted_messages') and name not glob 'message_words*' " +
          "and name not glob 'passage_*'",
      )
      .map(({ name, rootpage }) => [String(name), Number(rootpage)]),
  );
  const { tables, indexes } = readSchema(file);
  const visited = new Set<number>([1]);
  for (const root of indexes) walkIndex(file, root, visited);
  // A fresh schema already contains migration rows and a commit mark.
  for (const [name, root] of tables) if (!newRoots.has(name)) walkIndex(file, root, visited);
  const walks = [...newRoots].map(([name, root]) => {
    const layout = layoutOf(newDatabase, name);
    return { layout, ...walkTable(file, tables.get(name) ?? root, layout, visited) };
  });
  // When a lost page had child pages, those are found by their contents.
  const damagedPages = walks.filter(({ damagedPages }) => damagedPages.length > 0);
  for (let page = 2; damagedPages.length > 0 && page <= file.pageCount; page += 1) {
    if (visited.has(page)) continue;
    const pageContent = file.read(page);
    if (pageContent === undefined || pageContent.records.length === 0) continue;
    const fittingTables = damagedPages.filter(({ layout }) =>
      pageContent.records.every((record) => fits(record, layout)),
    );
    const [onlyTable] = fittingTables;
    if (fittingTables.length === 1 && onlyTable !== undefined)
      for (const record of pageContent.records) onlyTable.records.push(record);
  }
  return walks.map(({ layout, records, damagedPages }) => ({
    table: layout.name,
    rows: records.map((record) => toRow(record, layout)),
    damagedPages,
  }));
};

const layoutOf = (newDatabase: SqlDatabase, table: string): TableLayout => {
  const info = newDatabase.all(`pragma table_info("${table}")`);
  const [row] = newDatabase.all("select sql from sqlite_schema where type = 'table' and name = ?", [table]);
  const hasRowid = !/without\s+rowid/iu.test(String(row?.["sql"]));
  const key = info.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a["pk"]) - Number(b["pk"]));
  // A table without rowids is stored as an index, with its key first.
  const order = hasRowid ? info : [...key, ...info.filter(({ pk }) => Number(pk) === 0)];
  return {
    name: table,
    minColumns: order.findLastIndex(({ notnull, dflt_value }) => Number(notnull) === 1 && dflt_value === null) + 1,
    columns: order.map(({ name, type, notnull }) => ({
      name: String(name),
      isText: String(type).toLowerCase() === "text",
      mayBeNull: Number(notnull) === 0,
    })),
  };
};

/** Returns the root pages of tables by name, and of indexes. Omits entries of the schema that cannot be read. */
const readSchema = (file: PageFile) => {
  const tables = new Map<string, number>();
  const indexes: number[] = [];
  const pages = [1];
  const visited = new Set<number>();
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
    if (visited.has(page)) continue;
    visited.add(page);
    const pageContent = file.read(page);
    pages.push(...(pageContent?.children ?? []));
    for (const [type, name, , root] of pageContent?.records ?? []) {
      if (typeof root !== "number") continue;
      if (type === "table" && typeof name === "string") tables.set(name, root);
      else if (type === "index") indexes.push(root);
    }
  }
  return { tables, indexes };
};

const walkIndex = (file: PageFile, root: number, visited: Set<number>): void => {
  const pages = [root];
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
    if (visited.has(page)) continue;
    const pageContent = file.read(page);
    if (pageContent === undefined) continue;
    visited.add(page);
    pages.push(...pageContent.children);
  }
};

const walkTable = (file: PageFile, root: number, layout: TableLayout, visited: Set<number>) => {
  const records: (readonly ColumnValue[])[] = [];
  const damagedPages: number[] = [];
  const pages = [root];
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
    if (visited.has(page)) {
      damagedPages.push(page);
      continue;
    }
    const pageContent = file.read(page);
    const fittingRecords = pageContent?.records.filter((record) => fits(record, layout)) ?? [];
    const isOther = pageContent !== undefined && pageContent.records.length > 0 && fittingRecords.length === 0;
    if (pageContent === undefined || isOther) {
      damagedPages.push(page);
      continue;
    }
    visited.add(page);
    if (pageContent.damaged > 0 || fittingRecords.length < pageContent.records.length) damagedPages.push(page);
    records.push(...fittingRecords);
    pages.push(...pageContent.children);
  }
  return { records, damagedPages };
};

/** Whether a record may belong to the table. Columns that were added later are missing from older records. */
const fits = (record: readonly ColumnValue[], { columns, minColumns }: TableLayout): boolean =>
  record.length >= minColumns &&
  record.length <= columns.length &&
  record.every((value, index) => {
    const column = columns[index];
    if (column === undefined) return false;
    // The key of a table with rowids is never null, whatever its declaration says.
    if (value === null) return column.mayBeNull && index > 0;
    return column.isText ? typeof value === "string" : typeof value === "number";
  });

const toRow = (record: readonly ColumnValue[], { columns }: TableLayout): Readonly<Record<string, ColumnValue>> =>
  Object.fromEntries(record.map((value, index) => [columns[index]?.name ?? "", value]));
