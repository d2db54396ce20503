/**
 * Stores the contents of one brain's file versions by hash: short texts in rows, everything else as
 * blobs.
 */
import { MAX_INLINE_SIZE, type Blobs, type Store, type Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, type World } from "@hearth/protocol";
import { decodeText } from "./lines.ts";

export interface Bodies {
  hashOf(bytes: Uint8Array): string;
  /**
   * Returns the writes for the commit that names the content. A long content is a durable blob when
   * this resolves.
   */
  plan(bytes: Uint8Array): Promise<readonly Write[]>;
  /** Throws `store.damaged` if the content is missing. */
  read(hash: string): Promise<Uint8Array>;
  /** Returns undefined for `null`. */
  readOf(hash: string | null): Promise<Uint8Array | undefined>;
}

const encoder = new TextEncoder();

export const createBodies = (options: {
  readonly agent: AgentId;
  readonly hash: World["hash"];
  readonly store: Pick<Store, "select">;
  readonly blobs: Blobs;
}): Bodies => {
  const { agent, hash: hashOf, store, blobs } = options;
  const read: Bodies["read"] = async (hash) => {
    const [row] = await store.select({ table: "brain_bodies", where: { agent, hash } });
    const bytes = row === undefined || row.text === null ? await blobs.get(hash) : encoder.encode(row.text);
    if (row !== undefined && bytes !== undefined) return bytes;
    throw new HearthError("store.damaged", `The content ${hash} of a brain file version is missing.`, {
      hint: "Restore the home folder from a backup. The files in brains/ are not touched.",
    });
  };
  return {
    hashOf,
    async plan(bytes) {
      const text = bytes.length <= MAX_INLINE_SIZE ? decodeText(bytes) : undefined;
      const hash = text === undefined ? await blobs.put(bytes) : hashOf(bytes);
      return [{ kind: "put", table: "brain_bodies", row: { agent, hash, text: text ?? null } }];
    },
    read,
    readOf: async (hash) => (hash === null ? undefined : read(hash)),
  };
};
