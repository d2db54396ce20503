/** The durable truth of a house. A write is a value: what must hold, what to write, and nothing in between. */
import type { Row, TableName, Value, WritableTable } from "./tables.ts";

/** Columns and the values that they must have. */
export type Match<Table extends TableName> = { readonly [Column in keyof Row<Table>]?: Row<Table>[Column] };

export type Write = { readonly [Table in WritableTable]: WriteTo<Table> }[WritableTable] | Append;

type WriteTo<Table extends WritableTable> =
  /** A row that must be new. */
  | { readonly kind: "insert"; readonly table: Table; readonly row: Row<Table> }
  /** A row whether its key is new or not. */
  | { readonly kind: "put"; readonly table: Table; readonly row: Row<Table> }
  /** Every row that matches. None is no error: guard if it matters. */
  | { readonly kind: "update"; readonly table: Table; readonly where: Match<Table>; readonly set: Match<Table> }
  | { readonly kind: "delete"; readonly table: Table; readonly where: Match<Table> };

/** An event at the end of its stream, at the next offset; offsets start at 1 and are dense. One with a known id is a duplicate and is not written. */
export interface Append {
  readonly kind: "append";
  readonly stream: string;
  readonly event: Omit<Row<"events">, "stream" | "offset">;
}

export type Guard =
  | { readonly [Table in TableName]: GuardOn<Table> }[TableName]
  /** The stream's last offset is this (0: it is empty). */
  | { readonly kind: "head"; readonly stream: string; readonly offset: number };

type GuardOn<Table extends TableName> =
  /** At least one row matches. */
  | { readonly kind: "exists"; readonly table: Table; readonly where: Match<Table> }
  /** No row matches. */
  | { readonly kind: "absent"; readonly table: Table; readonly where: Match<Table> };

export interface Change {
  readonly guards?: readonly Guard[];
  readonly writes: readonly Write[];
}

export interface Appended {
  readonly kind: "appended" | "duplicate";
  readonly stream: string;
  readonly id: string;
  readonly offset: number;
}

export type CommitResult =
  /** All of it is durable. One `appended` per `append` write, in order. */
  | { readonly kind: "committed"; readonly appended: readonly Appended[] }
  /** A guard did not hold; nothing was written. `guard` is its index. */
  | { readonly kind: "refused"; readonly guard: number }
  /** A write would have made two rows of this table alike in their key or unique columns; nothing was written. */
  | { readonly kind: "conflict"; readonly table: TableName };

/** Text is compared by code point; `null` comes before everything and satisfies no comparison. Without `order`, rows come in any order. */
export interface Query<Table extends TableName> {
  readonly table: Table;
  readonly where?: Match<Table>;
  /** Comparisons beyond equality, all of which must hold. */
  readonly and?: readonly {
    readonly column: keyof Row<Table> & string;
    readonly is: "<" | "<=" | ">" | ">=" | "in";
    readonly value: Value | readonly Value[];
  }[];
  readonly order?: readonly { readonly column: keyof Row<Table> & string; readonly descending?: true }[];
  readonly limit?: number;
}

/**
 * Contract, checked by `storeConformance`:
 * - a change is written whole or not at all, also across a crash; when `commit` resolves it is durable
 * - changes apply in the order of the calls; a guard sees every change before it, whether those share its fsync or not
 * - one change that is refused, conflicts or fails leaves its neighbours in the group untouched
 * - a read sees every change whose `commit` has resolved
 * - text is kept to the code unit, also U+0000 and characters beyond the BMP; a lone surrogate is refused at the boundary, not here
 * - after a failure of the disk `commit` rejects with `store.unavailable` and earlier data is intact; later commits work once it recovers
 * - closing waits for the commits that were called before; whatever is called after is `house.closing`
 */
export interface Store extends AsyncDisposable {
  commit(change: Change): Promise<CommitResult>;
  select<Table extends TableName>(query: Query<Table>): Promise<readonly Row<Table>[]>;
}
