/** Stores the texts of summaries as blobs. */
import type { Blobs } from "../../../kernel/index.ts";
import { HearthError } from "@hearth/protocol";

export interface Summaries {
  /** Stores the text durably and returns its hash. */
  put(text: string): Promise<string>;
  /** Throws `store.damaged` if the blob is missing. */
  read(hash: string): Promise<string>;
}

/** Maximum number of texts in the cache. */
const MAX_CACHED_TEXTS = 200;

export const createSummaries = (blobs: Pick<Blobs, "put" | "get">): Summaries => {
  const texts = new Map<string, string>();
  const cache = (hash: string, text: string): void => {
    if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
    texts.set(hash, text);
  };
  return {
    async put(text) {
      const hash = await blobs.put(new TextEncoder().encode(text));
      cache(hash, text);
      return hash;
    },
    async read(hash) {
      const cachedText = texts.get(hash);
      if (cachedText !== undefined) return cachedText;
      const bytes = await blobs.get(hash);
      if (bytes === undefined) {
        throw new HearthError("store.damaged", `The blob of a summary is missing: ${hash}.`, {
          hint: "Restore blobs/ of the home folder from a backup, or send /new in the room. The room's messages are not lost.",
        });
      }
      const text = new TextDecoder().decode(bytes);
      cache(hash, text);
      return text;
    },
  };
};
