/** Hashes of uploads, computed while their parts arrive. */
import type { Hasher, World } from "@hearth/protocol";
import type { Row } from "../../kernel/index.ts";
import type { PartReader } from "./part-reader.ts";

export interface PartHashes {
  /**
   * Continues the hash of an upload with a part. Returns undefined if the earlier parts are not
   * included in a known hash.
   */
  add(id: string, offset: number, bytes: Uint8Array): Hasher | undefined;
  /** Keeps the hash of the bytes before `position`. */
  keep(id: string, position: number, hasher: Hasher | undefined): void;
  drop(id: string): void;
  /** Returns the hash of the whole upload. Its parts are read again if their hash is not known. */
  digestOf(row: Pick<Row<"uploads">, "id" | "size">): Promise<string>;
}

/**
 * Maximum number of uploads whose hashes are kept. The parts of further ones are read again at
 * their end.
 */
const MAX_HASHERS = 64;

export const createPartHashes = ({
  world,
  parts,
}: {
  readonly world: Pick<World, "clock" | "hasher">;
  readonly parts: Pick<PartReader, "read">;
}): PartHashes => {
  const hashers = new Map<string, { readonly hasher: Hasher; readonly position: number }>();
  return {
    add(id, offset, bytes) {
      const stored = hashers.get(id);
      hashers.delete(id);
      const hasher = offset === 0 ? world.hasher() : stored?.position === offset ? stored.hasher : undefined;
      hasher?.update(bytes);
      return hasher;
    },
    keep(id, position, hasher) {
      if (hasher === undefined) return;
      const [oldest] = hashers.keys();
      if (hashers.size >= MAX_HASHERS && oldest !== undefined) hashers.delete(oldest);
      hashers.set(id, { hasher, position });
    },
    drop(id) {
      hashers.delete(id);
    },
    async digestOf({ id, size }) {
      const stored = hashers.get(id);
      hashers.delete(id);
      if (stored?.position === size) return stored.hasher.digest();
      const hasher = world.hasher();
      for await (const bytes of parts.read(id, 0, size)) {
        hasher.update(bytes);
        await world.clock.turn();
      }
      return hasher.digest();
    },
  };
};
