/**
 * The tables of a house as files: one line of JSON per row, in the order of the key, with every
 * column in the order of the declaration.
 */
import type { Table, Value } from "../../../kernel/store/tables/table.ts";
import { tables } from "../../../kernel/store/tables/tables.ts";
import type { Snapshot } from "../backup/snapshot.ts";

export interface TableFile {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** The part of each table that the state hash covers, in the order of their names. */
export const stateTables: readonly TableFile[] = Object.entries<Table>(tables)
  .filter(([, { describesFile, credentials }]) => describesFile !== true && credentials !== "rows")
  .map(([name, { key, columns, credentials = [] }]) => ({
    name,
    key,
    columns: Object.keys(columns).filter((column) => !credentials.includes(column)),
  }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The credentials: whole tables, or the key and the columns that are credentials. */
export const credentialTables: readonly TableFile[] = Object.entries<Table>(tables).flatMap(
  ([name, { key, columns, credentials }]) =>
    credentials === undefined
      ? []
      : [{ name, key, columns: credentials === "rows" ? Object.keys(columns) : [...key, ...credentials] }],
);

const CHUNK_LENGTH = 64 * 1024;

/** The lines of a table, joined to chunks. Calls `onRows` with the number of rows in each. */
export const linesOf = function* (
  snapshot: Pick<Snapshot, "iterate">,
  { name, key, columns }: TableFile,
  onRows: (count: number) => void = () => {},
): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  let count = 0;
  const order = key.map(quoted).join(", ");
  for (const row of snapshot.iterate(
    `select ${columns.map(quoted).join(", ")} from ${quoted(name)} order by ${order}`,
  )) {
    text += `${JSON.stringify(row)}\n`;
    count += 1;
    if (text.length < CHUNK_LENGTH) continue;
    yield encoder.encode(text);
    onRows(count);
    text = "";
    count = 0;
  }
  yield encoder.encode(text);
  onRows(count);
};

export const quoted = (name: string): string => `"${name}"`;

/** The SHA-256 of a table's file. */
export const hashOf = (snapshot: Pick<Snapshot, "iterate">, table: TableFile): string => {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const chunk of linesOf(snapshot, table)) hasher.update(chunk);
  return hasher.digest("hex");
};

/**
 * The state hash: the SHA-256 of a line `HASH  TABLE.jsonl` for each file, in the order of the
 * names, as `sha256sum` prints them.
 */
export const stateHash = (files: readonly { readonly name: string; readonly hash: string }[]): string => {
  const lines = files.map(({ name, hash }) => ({ file: `${name}.jsonl`, hash }));
  const sorted = lines.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const text = sorted.map(({ file, hash }) => `${hash}  ${file}\n`).join("");
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
};

/** Returns a row of a file, or undefined for a line that is not an object of texts, numbers and nulls. */
export const readRow = (line: string): Readonly<Record<string, Value>> | undefined => {
  const row: unknown = JSON.parse(line);
  return isRow(row) ? row : undefined;
};

const isRow = (value: unknown): value is Readonly<Record<string, Value>> =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((cell) => cell === null || typeof cell === "string" || typeof cell === "number");
