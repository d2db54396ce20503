/**
 * Removes blobs to which no row refers. A crash or a refused commit leaves a blob without its row.
 */
import type { Clock } from "@hearth/protocol";
import { findReferencedBodies, readFrozenText, hashesIn } from "../store/blob-names.ts";
import { type Blobs, SHARDS } from "../store/blobs.ts";
import type { Store } from "../store/store.ts";

/** Minimum age of a removed blob. The commit of a younger blob may be in flight. */
export const ORPHAN_MS = 24 * 60 * 60 * 1000;
/** Maximum number of activations per query. */
const ACTIVATIONS_PER_QUERY = 100;

export interface OrphanOptions {
  readonly clock: Pick<Clock, "turn">;
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "list" | "get" | "remove">;
  /** Ends the sweep before its next step. */
  readonly signal?: AbortSignal | undefined;
}

export interface Orphans {
  readonly count: number;
  readonly sizeBytes: number;
}

/**
 * Removes blobs older than `ORPHAN_MS` to which no row and no stored input refers, one shard after
 * the other. Removes nothing while a stored input cannot be read, because its references are
 * unknown.
 */
export const removeOrphans = async (options: OrphanOptions): Promise<Orphans> => {
  const { clock, store, blobs, signal } = options;
  const candidates = new Map<string, number>();
  for (let shard = 0; shard < SHARDS; shard += 1) {
    if (signal?.aborted === true) return { count: 0, sizeBytes: 0 };
    const findOldBlobs = (await blobs.list(shard)).filter(({ ageMs }) => ageMs >= ORPHAN_MS);
    // An idle house has few old blobs, so most shards need no query and no pause.
    if (findOldBlobs.length === 0) continue;
    const referenced = await findReferencedBodies(
      store,
      findOldBlobs.map(({ hash }) => hash),
    );
    for (const { hash, sizeBytes } of findOldBlobs) if (!referenced.has(hash)) candidates.set(hash, sizeBytes);
    await clock.turn();
  }
  if (!(await dropReferencedByInputs(options, candidates))) return { count: 0, sizeBytes: 0 };
  // The rows are read again, because a row may have been written since the shard was listed.
  for (const hash of await findReferencedBodies(store, candidates.keys())) candidates.delete(hash);
  const removedTotals = { count: 0, sizeBytes: 0 };
  for (const [hash, sizeBytes] of candidates) {
    if (signal?.aborted === true) break;
    await blobs.remove(hash);
    removedTotals.count += 1;
    removedTotals.sizeBytes += sizeBytes;
  }
  return removedTotals;
};

/** Drops the hashes to which a stored input refers. Returns false if it cannot read every input. */
const dropReferencedByInputs = async (
  { clock, store, blobs, signal }: OrphanOptions,
  candidates: Map<string, number>,
): Promise<boolean> => {
  for (let after = ""; candidates.size > 0;) {
    const rows = await store.select({
      table: "activations",
      and: [{ column: "id", is: ">", value: after }],
      order: [{ column: "id" }],
      limit: ACTIVATIONS_PER_QUERY,
    });
    for (const row of rows) {
      const text = await readFrozenText(blobs, row);
      if (text === undefined && row.frozen_blob !== null) return false;
      for (const hash of hashesIn(text ?? "")) candidates.delete(hash);
    }
    const lastRow = rows.at(-1);
    if (lastRow === undefined || rows.length < ACTIVATIONS_PER_QUERY) break;
    after = lastRow.id;
    await clock.turn();
    if (signal?.aborted === true) return false;
  }
  return true;
};
