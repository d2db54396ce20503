/** Stores bodies too large for a row, by the hash of their bytes. */
import type { Clock } from "@hearth/protocol";

/** Longest text in a row, in UTF-8 bytes. */
export const MAX_INLINE_SIZE = 16 * 1024;

/**
 * Contract, checked by `blobsConformance`:
 * - when `put` resolves, the bytes are as durable as a commit of the store; putting the same bytes
 *   again gives the same blob
 * - `get` returns the bytes that were put, or `undefined`; bytes that do not match their hash throw
 *   `store.damaged`
 * - every blob is in exactly one of the `SHARDS` lists
 */
export interface Blobs {
  /** The SHA-256 of the bytes, lower-case hex. */
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * Removes a blob that no row names. A blob put within `UNNAMED_MS` stays, because its row may not
   * be committed yet.
   */
  remove(hash: string): Promise<void>;
  /**
   * Removes a blob at once, because its content has to be erased. A caller that put the same bytes
   * and has not committed their row loses them.
   */
  erase(hash: string): Promise<void>;
  /** The blobs whose hash begins with this byte, in any order. */
  list(shard: number): Promise<readonly ListedBlob[]>;
}

export interface ListedBlob {
  readonly hash: string;
  readonly sizeBytes: number;
  /** Time since its bytes were last put. Negative if the clock was set back. */
  readonly ageMs: number;
}

/** Number of lists: one for each value of the first byte of a hash. */
export const SHARDS = 256;

/** The first two digits of the hashes in a shard. */
export const shardPrefix = (shard: number): string => shard.toString(16).padStart(2, "0");

/** The longest time from putting a blob to the commit that names it. */
export const UNNAMED_MS = 60 * 60 * 1000;

/** A cache for texts as blobs: inputs of turns change rarely, and each put of a blob is synced. */
export interface KeptTexts {
  /** Returns its hash. Durable when it resolves, and kept long enough for a commit to name it. */
  keep(text: string): Promise<string>;
  /** Forgets an erased text, so that it is put again. */
  drop(hash: string): void;
}

/** Texts whose hash is cached. */
const MAX_KEPT = 1000;
/** An older entry is put again, because an unnamed blob may have been removed by then. */
const FRESH_MS = UNNAMED_MS / 2;

export const createKeptTexts = ({
  clock,
  blobs,
}: {
  readonly clock: Pick<Clock, "now">;
  readonly blobs: Pick<Blobs, "put">;
}): KeptTexts => {
  const known = new Map<string, { readonly hash: string; readonly at: number }>();
  return {
    async keep(text) {
      const at = clock.now();
      const before = known.get(text);
      if (before !== undefined && Math.abs(at - before.at) < FRESH_MS) return before.hash;
      const hash = await blobs.put(new TextEncoder().encode(text));
      if (known.size >= MAX_KEPT) known.clear();
      known.set(text, { hash, at });
      return hash;
    },
    drop(hash) {
      for (const [text, one] of known) if (one.hash === hash) known.delete(text);
    },
  };
};
