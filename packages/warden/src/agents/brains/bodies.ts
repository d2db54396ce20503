/** What versions of one brain's files hold, by hash: short texts in rows, everything else as blobs. */
import { MAX_INLINE_SIZE, type Blobs, type Store, type Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, type World } from "@hearth/protocol";
import { decodeText } from "./lines.ts";

export interface Bodies {
  hashOf(bytes: Uint8Array): string;
  /** For the commit that names it. What is long is a blob when this resolves. */
  plan(bytes: Uint8Array): Promise<readonly Write[]>;
  /** Throws `store.damaged` when a version names what is not there. */
  read(hash: string): Promise<Uint8Array>;
  /** Nothing for `null`. */
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
    throw new HearthError("store.damaged", `A version of a brain's file is gone: nothing is kept as ${hash}.`, {
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
