/** A blob store that can lose and damage blobs, and lists them. */
import { HearthError } from "@hearth/protocol";
import type { Blobs } from "@hearth/warden/memory-warden";

export type Loss = "missing" | "torn";

export interface FaultyBlobs extends Blobs {
  /** Hashes of the existing blobs, oldest first. */
  names(): readonly string[];
  lose(hash: string, how: Loss): void;
  /** The bytes as they were stored, even if the blob was lost since. */
  intact(hash: string): Promise<Uint8Array | undefined>;
  /** Hashes of all blobs that were ever lost. */
  readonly everLost: ReadonlySet<string>;
}

/** Putting the bytes of a lost blob again repairs it. */
export const createFaultyBlobs = (blobs: Blobs): FaultyBlobs => {
  const names = new Set<string>();
  const lost = new Map<string, Loss>();
  const everLost = new Set<string>();
  return {
    everLost,
    intact: (hash) => blobs.get(hash),
    list: blobs.list,
    names: () => [...names],
    lose(hash, how) {
      lost.set(hash, how);
      everLost.add(hash);
    },
    async put(bytes) {
      const hash = await blobs.put(bytes);
      names.add(hash);
      lost.delete(hash);
      return hash;
    },
    async get(hash) {
      const loss = lost.get(hash);
      if (loss === "missing") return undefined;
      if (loss === "torn") throw new HearthError("store.damaged", `The blob ${hash} does not match its hash.`);
      return blobs.get(hash);
    },
    async remove(hash) {
      await blobs.remove(hash);
      if ((await blobs.get(hash)) === undefined) names.delete(hash);
    },
    async erase(hash) {
      await blobs.erase(hash);
      names.delete(hash);
    },
  };
};
