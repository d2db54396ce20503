/** The durable truth of a house. A write is a value: what must hold, what to write, and nothing in between. */
import type { Durability } from "@hearth/protocol";
import type { Row, TableName, Value, WritableTable } from "./tables/tables.ts";

/** Columns and the values that they must have. */
export type Match<Table extends TableName> = { readonly [Column in keyof Row<Table>]?: Row<Table>[Column] };

export type Write = { readonly [Table in WritableTable]: WriteTo<Table> }[WritableTable] | Append | Redact | Forget;

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
  readonly event: Omit<Row<"events">, "stream" | "offset" | "seal">;
}

/**
 * Another text in place of what an event said, for what nobody may keep: it stays where it is, with its id and its type. Never of a stream
 * that is sealed. A blob that it named stays.
 */
export interface Redact {
  readonly kind: "update";
  readonly table: "events";
  readonly where: { readonly stream: `room:${string}` | `agent:${string}`; readonly id: string };
  readonly set: Pick<Row<"events">, "body" | "labels"> & { readonly blob: null };
}

/** All events of a stream and its head: it is as if it had never been. Blobs that it named stay. */
export interface Forget {
  readonly kind: "delete";
  readonly table: "events";
  readonly where: { readonly stream: string };
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

export interface Commit extends Change {
  /** Whoever asks has nothing to do until a change that follows: it may lie for a moment, to share the fsync of that one. */
  readonly patient?: true;
  /**
   * It can be made again from what was there before: it may go with the power, as if it had never been, as long as nothing after it is durable.
   * It survives the end of the process, and whatever is committed after it takes it along.
   */
  readonly remade?: true;
  /** Who did it, where no event of the change says so: for the audit log, which tells it. */
  readonly by?: string;
}

export interface Appended {
  readonly kind: "appended" | "duplicate";
  readonly stream: string;
  readonly id: string;
  readonly offset: number;
  /** Where the stream is sealed and the event is new. */
  readonly seal?: string;
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
 * - a change is written whole or not at all, also across a crash; when `commit` resolves it is as durable as `traits` say, and so is
 *   every change before it; one that can be remade is at least as durable as `process` says
 * - changes apply in the order of the calls; a guard sees every change before it, whether those share its fsync or not
 * - one change that is refused, conflicts or fails leaves its neighbours in the group untouched
 * - a read sees every change whose `commit` has resolved
 * - text is kept to the code unit, also U+0000 and characters beyond the BMP; a lone surrogate is refused at the boundary, not here
 * - after a failure of the disk `commit` rejects with `store.unavailable` and earlier data is intact; later commits work once it recovers.
 *   The rejected change is not applied, and no read sees it. Until the next commit it may stay in a log of the store, which recovery applies
 *   if the process ends first: the next start reads what is there
 * - where it cannot be found out whether a change was applied, the store rejects every call from then on, and the daemon ends
 * - closing waits for the commits that were called before; whatever is called after is `house.closing`
 */
export interface Store extends AsyncDisposable {
  readonly traits: StoreTraits;
  commit(change: Commit): Promise<CommitResult>;
  select<Table extends TableName>(query: Query<Table>): Promise<readonly Row<Table>[]>;
  /** Bytes that the disk has left for the store and for the blobs beside it; `Infinity` where nothing limits them. Cheap. */
  spare(): Promise<number>;
  /**
   * Resolves when nothing is left on the disk of what changes that have resolved took away or wrote over, not in a log of the store's own either.
   * Throws `store.locked` while another process holds on to it.
   */
  scrub(): Promise<void>;
}

export interface StoreTraits {
  /** What a change survives whose `commit` has resolved. */
  readonly durability: Durability;
}
