/** Restores a brain whose folder is missing from the last versions of its files. */
import type { Blobs, Store, Row } from "../../kernel/index.ts";
import { type AgentId, isHearthError, type World } from "@hearth/protocol";
import { createBodies } from "./bodies.ts";
import type { BrainTree } from "./disk.ts";

export const restoreFiles = async (options: {
  readonly world: Pick<World, "hash">;
  readonly store: Pick<Store, "select">;
  readonly blobs: Blobs;
  readonly agent: AgentId;
  readonly tree: Pick<BrainTree, "replace">;
  readonly storedFiles: readonly Row<"brain_files">[];
}): Promise<{ readonly written: number; readonly missing: number }> => {
  const { world, store, blobs, agent, tree, storedFiles } = options;
  const bodies = createBodies({ agent, hash: world.hash, store, blobs });
  let [written, missing] = [0, 0];
  for (const { path, hash } of storedFiles) {
    if (hash === null) continue;
    const bytes = await readUnlessDamaged(bodies.read(hash));
    if (bytes === undefined) missing += 1;
    else if ((await tree.replace(path, bytes, undefined)) !== undefined) written += 1;
  }
  return { written, missing };
};

/** Returns undefined for a lost content, so that the other files are still written. */
const readUnlessDamaged = async (read: Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return await read;
  } catch (error) {
    if (isHearthError(error, "store.damaged")) return undefined;
    throw error;
  }
};
