/** A backup target in memory, whose transfers can be cut. */
import { open, readFile } from "node:fs/promises";
import type { Digest } from "../backup-disk.ts";
import { type BackupTarget, type TargetObject, unreachableError, changedFileError } from "./target.ts";

export interface MemoryTarget extends BackupTarget {
  readonly objects: Map<string, Uint8Array>;
  /** Cuts every later transfer while it is true. */
  isCut: boolean;
}

const digestOf = (bytes: Uint8Array): Digest => ({
  hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  sizeBytes: bytes.length,
});

export const createMemoryTarget = (name = "memory:"): MemoryTarget => {
  const objects = new Map<string, Uint8Array>();
  const target: MemoryTarget = {
    name,
    objects,
    isCut: false,
    async put(key, { path, hash }) {
      const bytes = await readFile(path);
      if (digestOf(bytes).hash !== hash) throw changedFileError(path);
      if (target.isCut) throw unreachableError(name, "the connection was cut");
      objects.set(key, bytes);
    },
    async get(key, path) {
      const bytes = objects.get(key);
      if (bytes === undefined) return undefined;
      if (target.isCut) throw unreachableError(name, "the connection was cut");
      await using file = await open(path, "wx", 0o600);
      await file.writeFile(bytes);
      return digestOf(bytes);
    },
    list: (prefix) =>
      Promise.resolve(
        [...objects]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, { length }]): TargetObject => ({ key, sizeBytes: length })),
      ),
    delete: (key) => {
      objects.delete(key);
      return Promise.resolve();
    },
    removeIncomplete: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return target;
};
