/** Blobs in memory: the whole contract except durability. */
import type { World } from "@hearth/protocol";
import { type Blobs, shardPrefix, UNREFERENCED_MS } from "./blobs.ts";

/** Creates blobs in memory. Without a clock no time passes, and no blob is removed. */
export const createMemoryBlobs = (hash: World["hash"], now: () => number = () => 0): Blobs => {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly putAt: number }>();
  return {
    put(bytes) {
      const name = hash(bytes);
      blobs.set(name, { bytes: bytes.slice(), putAt: now() });
      return Promise.resolve(name);
    },
    get: (name) => Promise.resolve(blobs.get(name)?.bytes.slice()),
    remove(name) {
      const blob = blobs.get(name);
      if (blob !== undefined && now() - blob.putAt >= UNREFERENCED_MS) blobs.delete(name);
      return Promise.resolve();
    },
    erase(name) {
      blobs.delete(name);
      return Promise.resolve();
    },
    list: (shard) =>
      Promise.resolve(
        [...blobs].flatMap(([name, { bytes, putAt }]) =>
          name.startsWith(shardPrefix(shard)) ? [{ hash: name, sizeBytes: bytes.length, ageMs: now() - putAt }] : [],
        ),
      ),
  };
};
