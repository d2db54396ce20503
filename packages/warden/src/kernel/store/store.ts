/**
 * The interface of a house's durable state. A commit is a value: guards, and writes that apply
 * together.
 */
import type { Durability, EventId, IdOfPrefix, IdPrefix, Right } from "@hearth/protocol";
import type { Value } from "./tables/table.ts";
import type { Row, TableName, WritableTable } from "./tables/tables.ts";
import type { PassageIndex } from "./passages.ts";
import type { TextIndex } from "./texts.ts";

/**
 * Columns and their required values. The type allows an id to be compared with any text, which then
 * matches no row.
 */
export type Match<Table extends TableName> = { readonly [Column in keyof Row<Table>]?: Compared<Row<Table>[Column]> };

type Compared<Type> = Type extends IdOfPrefix[IdPrefix] ? string : Type;

export type Write =
  | { readonly [Table in WritableTable]: WriteTo<Table> }[WritableTable]
  | AppendWrite
  | RedactWrite
  | ForgetWrite
  | TrimWrite;

type WriteTo<Table extends WritableTable> =
  /** Inserts a row that must be new. */
  | { readonly kind: "insert"; readonly table: Table; readonly row: Row<Table> }
  /** Inserts or replaces a row. */
  | { readonly kind: "put"; readonly table: Table; readonly row: Row<Table> }
  /**
   * Updates every row that matches. It is not an error if no row matches. Add a guard if it
   * matters.
   */
  | { readonly kind: "update"; readonly table: Table; readonly where: Match<Table>; readonly set: Partial<Row<Table>> }
  | { readonly kind: "delete"; readonly table: Table; readonly where: Match<Table> };

/**
 * Appends an event at the next offset of its stream. Offsets start at 1 and are dense. An event
 * with a known id is a duplicate and is not written.
 */
export interface AppendWrite {
  readonly kind: "append";
  readonly stream: string;
  readonly event: Omit<Row<"events">, "stream" | "offset" | "seal">;
}

/**
 * Replaces the text of an event that must be erased. Offset, id and type stay, and so does a blob to
 * which the event referred. Not allowed for a sealed stream.
 */
export interface RedactWrite {
  readonly kind: "update";
  readonly table: "events";
  readonly where: { readonly stream: `room:${string}` | `agent:${string}`; readonly id: string };
  readonly set: Pick<Row<"events">, "body" | "labels"> & { readonly blob: null };
}

/** Removes all events of a stream and its head. Blobs to which they referred stay. */
export interface ForgetWrite {
  readonly kind: "delete";
  readonly table: "events";
  readonly where: { readonly stream: string };
}

/**
 * Removes the first events of a stream, which are stored elsewhere. Its head stays. The last event
 * must not be removed, because the next seal covers it.
 */
export interface TrimWrite {
  readonly kind: "trim";
  readonly table: "events";
  readonly where: { readonly stream: `audit:${string}` };
  /** The offset of the last event to remove. */
  readonly through: number;
}

/** A condition of a change. A refusal returns its `name`. */
export type Guard = { readonly name?: string } & (
  | { readonly [Table in TableName]: GuardOn<Table> }[TableName]
  /** The stream's last offset equals this one. 0 means that the stream is empty. */
  | { readonly kind: "head"; readonly stream: string; readonly offset: number }
);

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
  /** Whether the commit may wait briefly for the next one, so that both share an fsync. */
  readonly mayWait?: true;
  /**
   * Whether the change can be computed again from earlier state, so that the commit needs no
   * fsync. A power cut may lose it with everything after it. It survives the end of the process,
   * and the next synced commit makes it durable.
   */
  readonly isReproducible?: true;
  /** The actor for the audit log, if no event of the change names one. */
  readonly by?: string;
  /** The right that admitted the change, for the audit log. Absent: the level did. */
  readonly right?: Right;
}

export interface Appended {
  readonly kind: "appended" | "duplicate";
  readonly stream: string;
  readonly id: EventId;
  readonly offset: number;
  /** The seal, if the stream is sealed and the event is new. */
  readonly seal?: string;
}

export type CommitResult =
  /** All writes are durable. There is one `appended` per `append` write, in order. */
  | { readonly kind: "committed"; readonly appended: readonly Appended[] }
  /**
   * A guard failed, and nothing was written. `guard` is the name of the first guard that failed.
   */
  | { readonly kind: "refused"; readonly guard: string | undefined }
  /** A write would have duplicated a key or unique columns of this table. Nothing was written. */
  | { readonly kind: "conflict"; readonly table: TableName };

/**
 * A query for rows. Text is compared by code point. `null` sorts first and satisfies no comparison.
 * Without `order`, rows come in any order.
 */
export interface Query<Table extends TableName> {
  readonly table: Table;
  readonly where?: Match<Table>;
  /** Comparisons other than equality, all of which must hold. */
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
 * - a change is written as a whole or not at all, also across a crash; when `commit` resolves, it
 *   and every change before it are as durable as `traits` say; a reproducible change is at least as
 *   durable as `process`
 * - changes apply in call order; a guard sees every change before it, whether they share its fsync
 *   or not
 * - a change that is refused, conflicts or fails leaves the other changes of its group untouched
 * - a read sees every change whose `commit` has resolved
 * - text is stored exactly, also U+0000 and characters beyond the BMP; lone surrogates are refused
 *   at the boundary, not here
 * - after a disk failure `commit` rejects with `store.unavailable` and earlier data is intact;
 *   later commits work once the disk recovers. The rejected change is not applied, and no read sees
 *   it. Until the next commit it may stay in the WAL, which recovery applies if the process ends
 *   first
 * - if the store cannot find out whether a change was applied, it rejects every later call and the
 *   daemon ends
 * - closing waits for earlier commits; later calls throw `house.closing`
 */
export interface Store extends AsyncDisposable {
  readonly traits: StoreTraits;
  /** Finds messages by their words. */
  readonly texts: TextIndex;
  /** Finds attachments by the words of what they contain. */
  readonly passages: PassageIndex;
  commit(change: Commit): Promise<CommitResult>;
  select<Table extends TableName>(query: Query<Table>): Promise<readonly Row<Table>[]>;
  /**
   * Returns the free disk space in bytes for the store and its blobs, or `Infinity` if it is
   * unlimited. Cheap.
   */
  freeBytes(): Promise<number>;
  /**
   * Resolves when data that resolved changes removed or overwrote is gone from the disk,
   * including the store's own log. Throws `store.locked` while another process uses it.
   */
  scrub(): Promise<void>;
  /**
   * Resolves when the store does no work in the background, and earlier commits are on the disk.
   * Callers await it between the commits of a long series, so that the store keeps up, and before
   * a commit that must be synced, so that the sync is short.
   */
  waitUntilIdle(): Promise<void>;
  /**
   * Returns at most this many pages of deleted rows to the disk. Resolves with the number of
   * pages that can still be returned.
   */
  shrink(pages: number): Promise<number>;
}

export interface StoreTraits {
  /** The failures that a resolved `commit` survives. */
  readonly durability: Durability;
}
