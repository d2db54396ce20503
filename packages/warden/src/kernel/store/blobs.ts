/**
 * The interface of blobs: bodies that are too large for a row, stored by the hash of their bytes.
 */
import type { Clock } from "@hearth/protocol";

/** Maximum size of a text in a row, in UTF-8 bytes. */
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
  /** Stores the bytes and returns their SHA-256 hash as lower-case hex. */
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * Removes a blob to which no row refers. A blob younger than `UNREFERENCED_MS` stays, because its
   * row may not be committed yet.
   */
  remove(hash: string): Promise<void>;
  /**
   * Removes a blob at once, because its content must be erased. A caller that has put the same
   * bytes and has not committed their row loses them.
   */
  erase(hash: string): Promise<void>;
  /** Returns the blobs whose hash begins with this byte, in any order. */
  list(shard: number): Promise<readonly ListedBlob[]>;
}

export interface ListedBlob {
  readonly hash: string;
  readonly sizeBytes: number;
  /** Time since the last `put` of the bytes. Negative if the clock was set back. */
  readonly ageMs: number;
}

/** Number of lists, one for each value of the first byte of a hash. */
export const SHARDS = 256;

/** Returns the first two digits of the hashes in a shard. */
export const shardPrefix = (shard: number): string => shard.toString(16).padStart(2, "0");

/** Maximum time from `put` of a blob to the commit of its row. */
export const UNREFERENCED_MS = 60 * 60 * 1000;

/**
 * A cache of texts that are stored as blobs. Inputs of turns change rarely, and each `put` of a
 * blob is synced.
 */
export interface TextBlobCache {
  /**
   * Stores a text and returns its hash. Durable when the promise resolves, and kept long enough
   * for a commit of its row.
   */
  put(text: string): Promise<string>;
  /** Removes an erased text from the cache, so that it is stored again when it is used. */
  drop(hash: string): void;
}

/** Maximum number of texts whose hash is cached. */
const MAX_CACHED_HASHES = 1000;
/**
 * Maximum age of an entry. An older one is put again, because a sweep may have removed an unused
 * blob.
 */
const MAX_ENTRY_AGE_MS = UNREFERENCED_MS / 2;

export const createTextBlobCache = ({
  clock,
  blobs,
}: {
  readonly clock: Pick<Clock, "now">;
  readonly blobs: Pick<Blobs, "put">;
}): TextBlobCache => {
  const entries = new Map<string, { readonly hash: string; readonly at: number }>();
  return {
    async put(text) {
      const at = clock.now();
      const cached = entries.get(text);
      if (cached !== undefined && Math.abs(at - cached.at) < MAX_ENTRY_AGE_MS) return cached.hash;
      const hash = await blobs.put(new TextEncoder().encode(text));
      if (entries.size >= MAX_CACHED_HASHES) entries.clear();
      entries.set(text, { hash, at });
      return hash;
    },
    drop(hash) {
      for (const [text, entry] of entries) if (entry.hash === hash) entries.delete(text);
    },
  };
};
