/** Finds the rows that refer to a blob, so that unused blobs can be removed. */
import { type Clock, isHearthError } from "@hearth/protocol";
import type { Blobs } from "./blobs.ts";
import { unpackBody } from "./bodies.ts";
import type { Query, Store } from "./store.ts";
import type { Table, Value } from "./tables/table.ts";
import { type Row, type TableName, tables } from "./tables/tables.ts";

/** Maximum number of hashes per query. */
const HASHES_PER_QUERY = 256;

/**
 * Returns those of these hashes to which a row refers as its body. `findHashesInInputs` finds hashes
 * inside stored inputs.
 */
export const findReferencedBodies = async (
  store: Pick<Store, "select">,
  hashes: Iterable<string>,
): Promise<ReadonlySet<string>> => {
  const uniqueHashes = [...new Set(hashes)];
  const referenced = new Set<string>();
  for (let start = 0; start < uniqueHashes.length; start += HASHES_PER_QUERY) {
    const value = uniqueHashes.slice(start, start + HASHES_PER_QUERY);
    const matches = await Promise.all(blobColumns.map((column) => findHashesInColumn(store, column, value)));
    for (const hash of matches.flat()) if (typeof hash === "string") referenced.add(hash);
  }
  return referenced;
};

/** The columns that contain hashes of blobs. */
const blobColumns = Object.entries<Table>(tables).flatMap(([table, { blob }]) =>
  blob === undefined ? [] : [{ table, ...blob }],
);

const findHashesInColumn = async (
  store: Pick<Store, "select">,
  { table, column, ifNull }: (typeof blobColumns)[number],
  value: readonly string[],
): Promise<readonly (Value | undefined)[]> => {
  // A query names columns of one table, whose type is unknown here.
  const where = ifNull === undefined ? {} : { [ifNull]: null };
  const query = { table, where, and: [{ column, is: "in", value }] } as unknown as Query<TableName>;
  const rows: readonly Readonly<Record<string, Value>>[] = await store.select(query);
  return rows.map((row) => row[column]);
};

const HASH = /\b[0-9a-f]{64}\b/g;

/** Returns the hashes in a stored input: of its parts, and of a summary. */
export const hashesIn = (frozen: string): readonly string[] => frozen.match(HASH) ?? [];

/**
 * Returns a stored input as text, or undefined if the activation has not begun or its input was
 * erased.
 */
export const readFrozenText = async (
  blobs: Pick<Blobs, "get">,
  { frozen: inline, frozen_blob: blob }: Pick<Row<"activations">, "frozen" | "frozen_blob">,
): Promise<string | undefined> =>
  inline === null && blob === null ? undefined : unpackBody(blobs, { inline, blob }).catch(ignoreDamage);

/** Maximum number of activations per page. An input has up to 16 KiB. */
const ACTIVATIONS_PER_PAGE = 50;

/** Returns those of these hashes that occur in a stored input which is still readable. */
export const findHashesInInputs = async (
  options: {
    readonly clock: Pick<Clock, "turn">;
    readonly store: Pick<Store, "select">;
    readonly blobs: Pick<Blobs, "get">;
  },
  hashes: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const { clock, store, blobs } = options;
  const referenced = new Set<string>();
  for (let after = ""; hashes.size > 0;) {
    const rows = await store.select({
      table: "activations",
      and: [{ column: "id", is: ">", value: after }],
      order: [{ column: "id" }],
      limit: ACTIVATIONS_PER_PAGE,
    });
    for (const row of rows)
      for (const hash of hashesIn((await readFrozenText(blobs, row)) ?? "")) if (hashes.has(hash)) referenced.add(hash);
    after = rows.at(-1)?.id ?? "";
    if (rows.length < ACTIVATIONS_PER_PAGE) break;
    await clock.turn();
  }
  return referenced;
};

/** Returns undefined for the error of a damaged input, which refers to no blobs. Rethrows any other error. */
const ignoreDamage = (error: unknown): undefined => {
  if (!isHearthError(error, "store.damaged")) throw error;
};
