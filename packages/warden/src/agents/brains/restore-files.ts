/** Writes the last stored version of every file of a brain. The caller uses it if the brain's folder is missing. */
import type { Blobs, Store, Row } from "../../kernel/index.ts";
import { type AgentId, isHearthError, type World } from "@hearth/protocol";
import { createBodies } from "./bodies.ts";
import type { BrainTree } from "./disk.ts";

/** As an expected stamp: the path holds no file. */
const NO_FILE = undefined;

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
    const bytes = await undefinedIfDamaged(bodies.read(hash));
    if (bytes === undefined) missing += 1;
    else if ((await tree.replace(path, bytes, NO_FILE)) !== undefined) written += 1;
  }
  return { written, missing };
};

/** Returns undefined for damaged content, so that the other files are still written. */
const undefinedIfDamaged = async (content: Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return await content;
  } catch (error) {
    if (isHearthError(error, "store.damaged")) return undefined;
    throw error;
  }
};
