/** Blobs in memory: the whole contract but durability. */
import type { World } from "@hearth/protocol";
import type { Blobs } from "./blobs.ts";

export const createMemoryBlobs = (hash: World["hash"]): Blobs => {
  const blobs = new Map<string, Uint8Array>();
  return {
    put(bytes) {
      const name = hash(bytes);
      blobs.set(name, bytes.slice());
      return Promise.resolve(name);
    },
    get: (name) => Promise.resolve(blobs.get(name)?.slice()),
  };
};
