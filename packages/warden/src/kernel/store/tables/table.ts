/** How a table is declared. Everything else that depends on a table is derived from this. */
import type { Json } from "../json.ts";

export type Value = string | number | null;

export interface Column<Type extends Value = Value> {
  readonly storage: "text" | "integer";
  readonly isNullable: boolean;
  /** Never set: it carries the type of the column's values. */
  readonly type?: Type;
}

/** A text, or an id or one of several words as its type says. */
export const text = <Type extends string = string>(): Column<Type> => ({ storage: "text", isNullable: false });
/** Instants are UTC milliseconds. */
export const integer = (): Column<number> => ({ storage: "integer", isNullable: false });
/** 1: true. 0: false. */
export const flag = (): Column<0 | 1> => ({ storage: "integer", isNullable: false });
/** `unknown`: the reader checks the shape. */
export const json = <Type>(): Column<Json<Type>> => ({ storage: "text", isNullable: false });
export const nullable = <Type extends Value>({ storage }: Column<Type>): Column<Type | null> => ({
  storage,
  isNullable: true,
});

/** Rows of a partial index. */
export type IndexedRows<Name extends string> =
  | { readonly column: Name; readonly is: "null" | "not null" }
  /** Statements contain the values as literals, because SQLite uses the index only then. */
  | { readonly column: Name; readonly is: "=" | "<"; readonly value: string }
  | { readonly column: Name; readonly is: "in"; readonly values: readonly string[] };

export interface Index<Name extends string = string> {
  readonly on: readonly Name[];
  /** Absent: all rows. */
  readonly where?: IndexedRows<Name>;
  /** Why a key has few rows in any house, so that they may be read whole and sorted. */
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

/** How long the rows of a table that grows with use stay. */
export type Retention<Name extends string = string> =
  /** Until a person removes them, or what they belong to. */
  | "forever"
  /** Deleted with their activation, `[turns] log_days` after its end. */
  | "turn"
  /** Deleted by the area that writes the table, when they are of no further use. */
  | "area"
  | Ageing<Name>;

/** Rows that `journal/prune.ts` deletes some days after an instant. */
export interface Ageing<Name extends string = string> {
  readonly setting: RetentionSetting;
  /** The instant from which a row ages; null while it is in use. Leads an index. */
  readonly since: Name;
  /** The row with the greatest `by` of each group stays. */
  readonly keepsLast?: { readonly of: readonly Name[]; readonly by: Name };
}

/** Settings of `[retention]`, in days. */
export type RetentionSetting = "deliveryDays" | "jobDays";

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
   * What lets its holder into the house: every row, or these columns. An export leaves it out
   * unless it is requested, and the state hash does always.
   */
  readonly credentials?: "rows" | readonly Name[];
  /** Its rows describe the database file and not the house, so no export has them. */
  readonly describesFile?: true;
}

export const table = <Columns extends Readonly<Record<string, Column>>>(
  declared: Table<keyof Columns & string> & { readonly columns: Columns },
): Table<keyof Columns & string> & { readonly columns: Columns } => declared;
