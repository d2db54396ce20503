/** Bodies too large for a row, by the hash of their bytes. */

/** Longest text that stands in a row, in UTF-8 bytes. */
export const MAX_INLINE_SIZE = 16 * 1024;

/**
 * Contract, checked by `blobsConformance`:
 * - when `put` resolves the bytes are durable; putting the same bytes again is the same blob
 * - `get` gives the bytes that were put, or `undefined`; bytes that no longer match their hash are `store.unavailable`, never returned
 */
export interface Blobs {
  /** The SHA-256 of the bytes, lower-case hex. */
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
}
