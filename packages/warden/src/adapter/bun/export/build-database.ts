/** Builds a database from the tables of an export, with the schema that the export has. */
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import { prepareSchema } from "../../../kernel/store/schema.ts";
import type { Value } from "../../../kernel/store/tables/table.ts";
import { openSqlite } from "../sqlite.ts";
import { credentialsPath, type ExportManifest, tablePath, type TableRows } from "./export-manifest.ts";
import { textLines } from "./text-lines.ts";
import { quoted, readRow } from "./table-files.ts";
import type { OnProgress } from "./write-export.ts";

export interface BuildOptions {
  /** Absolute path of an empty file. */
  readonly path: string;
  /** Absolute path of the export. */
  readonly from: string;
  readonly manifest: ExportManifest;
  readonly onProgress: OnProgress;
}

/** Builds the database. Throws `backup.damaged` with the line of a row that does not fit its table. */
export const buildDatabase = async ({ path, from, manifest, onProgress }: BuildOptions): Promise<void> => {
  const { schema, tables, credentials } = manifest;
  const database = openSqlite(path);
  try {
    // This needs no durability: until the import is complete, the home is marked as incomplete and is never opened.
    database.all("pragma journal_mode = memory");
    database.all("pragma synchronous = off");
    await prepareSchema(database, migrations.slice(0, schema));
    database.run("begin immediate");
    for (const [doneCount, table] of tables.entries()) {
      onProgress({ what: `table ${table.name}`, done: doneCount, total: tables.length });
      await insertRows(database, join(from, tablePath(table.name)), table);
    }
    for (const table of credentials ?? []) {
      const isWhole = !tables.some(({ name }) => name === table.name);
      const file = join(from, credentialsPath(table.name));
      await (isWhole ? insertRows(database, file, table) : updateRows(database, file, table));
    }
    database.run("commit");
  } finally {
    database.close();
  }
};

const insertRows = async (database: SqlDatabase, file: string, table: TableRows): Promise<void> => {
  const missingColumns = findMissingColumns(database, table);
  const columns = [...table.columns, ...missingColumns].map(quoted).join(", ");
  const values = [...table.columns.map(() => "?"), ...missingColumns.map(() => RANDOM_VALUE_SQL)].join(", ");
  const sql = `insert into ${quoted(table.name)} (${columns}) values (${values})`;
  await readEachRow(file, (row) => database.run(sql, valuesOf(row, table.columns)) === "done");
};

/** A random credential for rows whose credential was not exported. It is discarded, so it opens nothing. */
const RANDOM_VALUE_SQL = "lower(hex(randomblob(32)))";

/** Columns that the export does not have and that need a value: credentials. */
const findMissingColumns = (database: SqlDatabase, { name, columns }: TableRows): readonly string[] =>
  database
    .all(`select name from pragma_table_info('${name}') where "notnull" = 1 and dflt_value is null`)
    .map((column) => String(column["name"]))
    .filter((column) => !columns.includes(column));

const updateRows = async (database: SqlDatabase, file: string, { name, key, columns }: TableRows): Promise<void> => {
  const otherColumns = columns.filter((column) => !key.includes(column));
  const assignments = otherColumns.map((column) => `${quoted(column)} = ?`).join(", ");
  const condition = key.map((column) => `${quoted(column)} = ?`).join(" and ");
  const sql = `update ${quoted(name)} set ${assignments} where ${condition}`;
  await readEachRow(file, (row) => database.run(sql, valuesOf(row, [...otherColumns, ...key])) === "done");
};

const valuesOf = (row: Readonly<Record<string, Value>>, columns: readonly string[]): readonly Value[] =>
  columns.map((column) => {
    const value = row[column];
    if (value === undefined) throw new Error(`it has no ${column}`);
    return value;
  });

/** Reads each row. `write` returns whether the row was written. */
const readEachRow = async (file: string, write: (row: Readonly<Record<string, Value>>) => boolean): Promise<void> => {
  let lineNumber = 0;
  for await (const line of textLines(file)) {
    lineNumber += 1;
    try {
      const row = readRow(line);
      if (row === undefined) throw new Error("it is not a row");
      if (!write(row)) throw new Error("its key occurs twice");
    } catch (cause) {
      throw new HearthError(
        "backup.damaged",
        `${file}, line ${lineNumber}, does not fit its table: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { hint: "Nothing was imported. Make the export again: hearth export DIR", cause },
      );
    }
  }
};
