/**
 * Memory for small brains, without a process or an index file. It keeps the texts in memory, and
 * scans them for each search.
 */
import {
  type AgentId,
  lazy,
  HearthError,
  type LeftOut,
  type MemoryBackend,
  type MemorySource,
  type World,
} from "@hearth/protocol";
import type { MemoryFile } from "@hearth/protocol/memory-frames";
import { createMemoryIndex } from "../index/memory-index.ts";
import type { ChunkIndex } from "../index/chunk-index.ts";
import { createRetriever } from "../retrieval/retriever.ts";
import { toChunkedFile, toReason } from "./indexed-file.ts";
import { toHit } from "./to-hit.ts";
import { toToday } from "./to-today.ts";

export interface MarkdownBackendOptions {
  readonly source: MemorySource;
  readonly hash: World["hash"];
}

export const createMarkdownBackend = ({ source, hash }: MarkdownBackendOptions): MemoryBackend => {
  const brains = new Map<AgentId, () => Promise<BrainTexts>>();

  const read = async (agent: AgentId): Promise<BrainTexts> => {
    const texts = createBrainTexts(hash);
    for (const path of (await source.list(agent)).keys()) {
      const file = await source.read(agent, path);
      if (file !== undefined) texts.put(file);
    }
    return texts;
  };
  const brainOf = (agent: AgentId): Promise<BrainTexts> => {
    const readOnce = brains.get(agent) ?? lazy(() => read(agent));
    brains.set(agent, readOnce);
    return readOnce();
  };

  return {
    async put(agent, file) {
      (await brainOf(agent)).put(file);
    },
    async remove(agent, paths) {
      const texts = await brainOf(agent);
      for (const path of paths) texts.remove(path);
    },
    async recall({ agent, query, limit, visible, today, tuning = {}, signal }) {
      if (signal?.aborted === true) throw new HearthError("memory.aborted", "The search was aborted.");
      const { index } = await brainOf(agent);
      const { hits, mode } = await createRetriever({ index }).search({
        query,
        limit,
        visible,
        tuning,
        ...toToday(today),
      });
      return {
        hits: hits.map(({ chunk, score, contributions }) => toHit(chunk, score, contributions)),
        mode,
        rebuilding: false,
      };
    },
    async status(agent) {
      const { index, leftOut } = await brainOf(agent);
      const { total } = index.frequencies([], {});
      const noVectors = { vectors: 0, catchingUp: false, rebuilding: false };
      return { ...noVectors, files: index.files().size, chunks: total, leftOut: leftOut() };
    },
    reindex: (agent) => Promise.resolve(void brains.delete(agent)),
    async whenIndexed(agent) {
      await brainOf(agent);
    },
    [Symbol.asyncDispose]() {
      brains.clear();
      return Promise.resolve();
    },
  };
};

interface BrainTexts {
  readonly index: ChunkIndex;
  put(file: MemoryFile): void;
  remove(path: string): void;
  leftOut(): LeftOut[];
}

const createBrainTexts = (hash: World["hash"]): BrainTexts => {
  const index = createMemoryIndex();
  const refusalReasons = new Map<string, string>();
  const remove = (path: string): void => {
    index.remove(path);
    refusalReasons.delete(path);
  };
  return {
    index,
    remove,
    put(file) {
      const { file: indexed, note } = toChunkedFile(file, hash);
      remove(file.path);
      if (note === undefined) index.put(indexed);
      else refusalReasons.set(file.path, toReason(file.path, note));
    },
    leftOut: () => Array.from(refusalReasons, ([path, why]) => ({ path, why })),
  };
};
