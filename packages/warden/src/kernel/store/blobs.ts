/** Bodies too large for a row, by the hash of their bytes. */
import type { Clock } from "@hearth/protocol";

/** Longest text that stands in a row, in UTF-8 bytes. */
export const MAX_INLINE_SIZE = 16 * 1024;

/**
 * Contract, checked by `blobsConformance`:
 * - when `put` resolves the bytes are as durable as a commit of the store beside them; putting the same bytes again is the same blob
 * - `get` gives the bytes that were put, or `undefined`; bytes that no longer match their hash are `store.damaged`, never returned
 */
export interface Blobs {
  /** The SHA-256 of the bytes, lower-case hex. */
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Takes one away that no row names. One that was put within `UNNAMED_MS` stays: whoever put it may be about to name it. */
  remove(hash: string): Promise<void>;
  /** Takes one away at once, because nobody may keep what it holds. Whoever put the same bytes and has not named them yet finds nothing. */
  erase(hash: string): Promise<void>;
}

/** From putting a blob to the commit that names it, at most. */
export const UNNAMED_MS = 60 * 60 * 1000;

/** Texts as blobs, each put once: what turns are given changes seldom, and a blob that is put is synced. */
export interface KeptTexts {
  /** Its hash. Durable when it resolves, and not removed before whoever asks had the time to name it. */
  keep(text: string): Promise<string>;
  /** It was erased: the same text is put anew. */
  drop(hash: string): void;
}

/** Texts whose hash is kept in memory. */
const MAX_KEPT = 1000;
/** One that was put longer ago than this is put again: a blob that no row names may have gone by now. */
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
