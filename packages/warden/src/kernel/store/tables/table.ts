/** Declares tables. All other code that depends on a table is derived from its declaration. */
import type { Json } from "../json.ts";

export type Value = string | number | null;

export interface Column<Type extends Value = Value> {
  readonly storage: "text" | "integer";
  readonly isNullable: boolean;
  /** Never set. It carries the type of the column's values. */
  readonly type?: Type;
}

/** Declares a column of text. Its type may be an id or one of several words. */
export const text = <Type extends string = string>(): Column<Type> => ({ storage: "text", isNullable: false });
/** Declares a column of integers. Instants are UTC milliseconds. */
export const integer = (): Column<number> => ({ storage: "integer", isNullable: false });
/** Declares a column of booleans: 1 is true, 0 is false. */
export const flag = (): Column<0 | 1> => ({ storage: "integer", isNullable: false });
/** Declares a column of JSON. With the type `unknown`, the reader checks the shape. */
export const json = <Type>(): Column<Json<Type>> => ({ storage: "text", isNullable: false });
export const nullable = <Type extends Value>({ storage }: Column<Type>): Column<Type | null> => ({
  storage,
  isNullable: true,
});

/** The rows of a partial index. */
export type IndexedRows<Name extends string> =
  | { readonly column: Name; readonly is: "null" | "not null" }
  /** Statements contain the values as literals, because SQLite uses the index only then. */
  | { readonly column: Name; readonly is: "=" | "<"; readonly value: string }
  | { readonly column: Name; readonly is: "in"; readonly values: readonly string[] };

export interface Index<Name extends string = string> {
  readonly on: readonly Name[];
  /** The rows of the index. Absent for all rows. */
  readonly where?: IndexedRows<Name>;
  /** The reason why a key has few rows in any house, so that they may be read whole and sorted. */
  readonly fewRows?: string;
}

/**
 * The house of a row. API requests are answered only from rows of houses that the caller can see.
 * `home`: the row belongs to the machine, for people who decide in the first house. Otherwise the
 * column that leads to the house: its id, or that of an agent, a room, an activation, a stream or a
 * byte stream.
 */
export type Owner<Name extends string = string> =
  | "home"
  | { readonly by: "house" | "agent" | "room" | "activation" | "stream" | "byteStream"; readonly column: Name };

/** How long the rows of a table that grows with use are kept. */
export type Retention<Name extends string = string> =
  /** Kept until a person removes them, or the record to which they belong. */
  | "forever"
  /** Deleted with their activation, `[turns] log_days` after its end. */
  | "turn"
  /** Deleted by the area that writes the table, when they are of no further use. */
  | "area"
  | Ageing<Name>;

/** Rows that `journal/prune.ts` deletes some days after an instant. */
export interface Ageing<Name extends string = string> {
  readonly setting: RetentionSetting;
  /**
   * The instant from which a row ages, or null while it is in use. It is the first column of an
   * index.
   */
  readonly since: Name;
  /** If set, the row with the greatest `by` of each group stays. */
  readonly keepsLast?: { readonly of: readonly Name[]; readonly by: Name };
}

/** Settings of `[retention]`, in days. */
export type RetentionSetting = "deliveryDays" | "jobDays" | "usageDays";

export interface Table<Name extends string = string> {
  readonly columns: Readonly<Record<Name, Column>>;
  /** Columns of the primary key. */
  readonly key: readonly Name[];
  /** Further sets of columns that are unique together. */
  readonly unique?: readonly (readonly Name[])[];
  /** Indexes that only speed up reads, by their names. */
  readonly indexes?: Readonly<Record<string, Index<Name>>>;
  /** The column with the hash of a blob, in rows where the column `ifNull` is null. */
  readonly blob?: { readonly column: Name; readonly ifNull?: Name };
  readonly owner: Owner<Name>;
  /** No statement may scan or sort a table that grows with use: see `fixtures/query-plans.ts`. */
  readonly growsWith: "use" | "setup";
  /** Required of a table that grows with use. */
  readonly retention?: Retention<Name>;
  /** Absent: rows are stored in the order of the key. */
  readonly hasRowid?: true;
  /**
   * The rows or columns that give their holder access to the house. An export leaves them out
   * unless they are requested, and the state hash always does.
   */
  readonly credentials?: "rows" | readonly Name[];
  /** Set if the rows describe the database file and not the house. No export contains them. */
  readonly describesFile?: true;
}

export const table = <Columns extends Readonly<Record<string, Column>>>(
  declaration: Table<keyof Columns & string> & { readonly columns: Columns },
): Table<keyof Columns & string> & { readonly columns: Columns } => declaration;
