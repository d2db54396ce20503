/** Assembles one brain from its parts. */
import type { Log, Blobs, Store, DurableStreams } from "../../kernel/index.ts";
import { type AgentRecord, isHearthError, type World } from "@hearth/protocol";
import { createBodies } from "./bodies.ts";
import type { Brain } from "./brain.ts";
import { createCheckpoint } from "./checkpoint.ts";
import type { BrainTree } from "./disk.ts";
import { createErase } from "./erase.ts";
import { createGuardReview, type Guard } from "./guard-review.ts";
import { isSoul } from "./guard.ts";
import { createHistory, toChange } from "./history.ts";
import { loadKnownFiles } from "./known-files.ts";
import { loadLineLabels } from "./line-labels.ts";
import { createLiveBrain, MAX_VERSIONED_BYTES } from "./live-brain.ts";
import { checkPath, isForeign } from "./path.ts";
import { createProposals } from "./proposals.ts";
import { createTextCache, toNote, type LabelledText } from "./text-cache.ts";
import { createRecorder } from "./recorder.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";
import { pinWorkspace } from "./workspace-pins.ts";
import { createWriting } from "./writing.ts";

export interface BrainParts {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly blobs: Blobs;
  readonly guard: Guard;
}

/**
 * Opens a brain. When the promise resolves, edits that were made while no daemon ran are versions.
 */
export const openBrain = async (
  agent: AgentRecord,
  tree: BrainTree,
  parts: BrainParts,
  onStale: () => void,
): Promise<Omit<Brain, "viewFor" | "serialize"> & { readonly close: () => Promise<void> }> => {
  const { world, store } = parts;
  const [files, lines] = await Promise.all([
    loadKnownFiles({ agent: agent.id, store }),
    loadLineLabels({ agent: agent.id, world, store }),
  ]);
  const bodies = createBodies({ agent: agent.id, hash: world.hash, store, blobs: parts.blobs });
  const brainParts = { ...parts, tree, files, lines, bodies };
  const recorder = await createRecorder({ ...brainParts, onStale, agent: agent.id });
  const guardReview = createGuardReview({ ...brainParts, agent });
  const live = createLiveBrain({ ...brainParts, recorder, guardReview });
  const textCache = createTextCache({ tree, lines });
  const checkpoint = createCheckpoint({ ...brainParts, recorder });
  const erase = createErase({ ...brainParts, recorder, agent: agent.id });
  await live.serialize(live.finishWrites);
  await live.serialize(live.scan);

  /** A file that cannot be read as text becomes a note, so it never makes a turn fail. */
  const readText = (path: string): Promise<LabelledText | undefined> => {
    checkPath(path);
    return readFile(path).catch((error: unknown) => {
      if (isHearthError(error, "brain.path") || isHearthError(error, "brain.changed")) return toNote(error.message);
      throw error;
    });
  };

  const readFile = async (path: string): Promise<LabelledText | undefined> => {
    const facts = await tree.stat(path);
    if (facts === undefined && (files.get(path)?.hash ?? null) === null && files.get(path)?.settled !== false)
      return undefined;
    if (facts !== undefined && files.get(path)?.stamp === facts.stamp) {
      const cached = textCache.cached(path, facts);
      if (cached !== undefined) return cached;
    }
    return live.serialize(async () => {
      await live.refresh(path);
      return textCache.read(path);
    });
  };

  return {
    ...createWriting({ ...brainParts, live, recorder, guardReview }),
    ...createHistory({ ...brainParts, live, recorder, agent: agent.id }),
    ...createProposals({ ...brainParts, live, recorder, agent }),
    async read(path) {
      const labelledText = await readText(path);
      return labelledText === undefined ? undefined : (labelledText.text ?? labelledText.lines[0]?.text);
    },
    readLabelled: async (path) => (await readText(path))?.lines,
    readBytes(path) {
      checkPath(path);
      return live.serialize(async () => {
        await live.refresh(path);
        const file = await tree.read(path, MAX_VERSIONED_BYTES);
        return file === undefined ? undefined : { bytes: file.bytes, hash: bodies.hashOf(file.bytes) };
      });
    },
    pins: (isNamed) => pinWorkspace({ tree, hash: world.hash }, isNamed),
    workspace: createWorkspaceFiles(tree),
    list: live.list,
    names: async (folder) => (await tree.names(folder)).filter((name) => !isForeign(name, `${folder}/${name}`)),
    scan: async () =>
      live.serialize(async () => {
        const rows = await live.scan();
        return rows === undefined ? undefined : toChange(rows);
      }),
    async checkSoul() {
      for (const path of [...files.all().keys()].filter(isSoul)) {
        const facts = await tree.stat(path);
        if ((files.get(path)?.stamp ?? "") !== (facts?.stamp ?? "")) await live.serialize(() => live.refresh(path));
      }
    },
    close: () => live.serialize(recorder.flush),
    checkpoint: (by) => live.serialize(() => checkpoint(by)),
    erase: (request, by) =>
      live.serialize(async () => {
        await live.scan();
        const result = await erase(request, by);
        for (const path of files.all().keys()) textCache.forget(path);
        return result;
      }),
  };
};
