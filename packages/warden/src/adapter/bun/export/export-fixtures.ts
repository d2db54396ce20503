/** Fixtures of the tests of exports: a home with rows in every table, and its export. */
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Sandbox } from "../../../fixtures/home-on-disk.ts";
import type { Table, Value } from "../../../kernel/store/tables/table.ts";
import { tables } from "../../../kernel/store/tables/tables.ts";
import { blobPath } from "../backup/manifest.ts";
import { type ExportOptions, type ExportReport, exportHome } from "./create-export.ts";
import { type ImportOptions, type ImportOutcome, importExport } from "./import-export.ts";

/** A part of every credential in `fillTables` and `addKeyFiles`. */
export const CREDENTIAL = "opens-the-house";
/** Characters that JSON, lines and SQL could change. */
const ODD_CHARACTERS = '\u2028 "é😀\u0000\\n\n';

/** Adds two rows to every table: one with a value in each column, one with nulls where allowed. */
export const fillTables = (home: string): void => {
  using database = new Database(join(home, "hearth.db"));
  const blob = new Bun.CryptoHasher("sha256").update(ODD_CHARACTERS).digest("hex");
  mkdirSync(join(home, blobPath(blob), ".."), { recursive: true });
  writeFileSync(join(home, blobPath(blob)), ODD_CHARACTERS);
  for (const [name, table] of Object.entries<Table>(tables))
    for (const isFull of [true, false]) {
      const columns = Object.keys(table.columns);
      const values = columns.map((column) => (isBlob(table, column) ? blob : valueOf(table, column, isFull)));
      const names = columns.map((column) => `"${column}"`).join(", ");
      database.run(`insert into "${name}" (${names}) values (${columns.map(() => "?").join(", ")})`, values);
    }
};

/** Whether every row names a blob in this column. */
const isBlob = ({ blob, columns }: Table, column: string): boolean =>
  blob?.column === column && blob.ifNull === undefined && columns[column]?.isNullable === false;

const valueOf = (table: Table, column: string, isFull: boolean): Value => {
  const { storage = "text", isNullable = false } = table.columns[column] ?? {};
  const { blob, credentials = [] } = table;
  // A value in such a column would have to name an existing blob. A body without a blob has its text in the row.
  if (isNullable && (column === blob?.column || column.endsWith("_blob"))) return null;
  if (isNullable && !isFull && column !== blob?.ifNull) return null;
  if (storage === "integer") return isFull ? Number.MAX_SAFE_INTEGER : 0;
  const isCredential = credentials === "rows" || credentials.includes(column);
  return `${isFull ? "full" : "bare"} ${column} ${isCredential ? CREDENTIAL : ""}${ODD_CHARACTERS}`;
};

/** Files of a home that hold keys. */
export const addKeyFiles = (home: string): void => {
  for (const path of ["vault/1.key", "egress/authority.key", "keys/openai"]) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), CREDENTIAL);
  }
};

export const runExport = (box: Sandbox, overrides: Partial<ExportOptions> = {}): Promise<ExportReport> =>
  exportHome({
    home: box.home,
    to: join(box.folder, "export"),
    withCredentials: false,
    version: "test",
    now: Date.now,
    ...overrides,
  });

export const runImport = (box: Sandbox, overrides: Partial<ImportOptions> = {}): Promise<ImportOutcome> =>
  importExport({ home: join(box.folder, "imported"), from: join(box.folder, "export"), ...overrides });

/** Paths of all files below a folder. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

/** Returns the paths of the files below the folder that contain the text. */
export const filesContaining = (folder: string, text: string): readonly string[] =>
  filesIn(folder).filter((path) => readFileSync(join(folder, path)).includes(text));

/** The rows of every declared table. */
export const rowsOf = (home: string): Readonly<Record<string, readonly unknown[]>> => {
  using database = new Database(join(home, "hearth.db"));
  return Object.fromEntries(
    Object.entries<Table>(tables).map(([name, { key }]) => [
      name,
      database.query(`select * from "${name}" order by ${key.map((column) => `"${column}"`).join(", ")}`).all(),
    ]),
  );
};
