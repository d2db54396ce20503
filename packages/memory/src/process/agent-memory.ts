/**
 * The memory of one agent. It manages the index and the files that are missing from it, and
 * recovers from damage.
 */
import { DEFAULT_RETRIEVAL, HearthError, isHearthError, type Retrieval, type World } from "@hearth/protocol";
import type { MemoryAnswers, MemoryCommand } from "@hearth/protocol/memory-frames";
import { toTerms } from "../chunks/terms.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex } from "../index/chunk-index.ts";
import { createRetriever, type Retriever } from "../retrieval/retriever.ts";
import { toChunkedFile, toReason } from "./indexed-file.ts";
import { toHit } from "./to-hit.ts";
import { toToday } from "./to-today.ts";

/** The storage of an index. */
export interface IndexStorage {
  /** Opens the index. Throws `memory.damaged` if the existing one cannot be used. */
  open(): ChunkIndex;
  /** Whether another process deleted or replaced the opened file. */
  isReplaced(): boolean;
  /** Moves the index away, so that the next `open` returns an empty one. */
  setAside(): void;
  /** Deletes the index. */
  erase(): void;
}

type Ask<Type extends MemoryCommand["type"]> = Extract<MemoryCommand, { readonly type: Type }>;

export interface AgentMemory extends Disposable {
  /** Returns the open index for vectors, unless the agent's retrieval excludes vectors. */
  vectorIndex(): ChunkIndex | undefined;
  /** Sets the retrieval mode of all later calls. */
  setRetrieval(mode: Retrieval): void;
  usesVectors(): boolean;
  open(ask: Ask<"open">): MemoryAnswers["open"];
  put(ask: Ask<"put">): MemoryAnswers["put"];
  remove(ask: Ask<"remove">): MemoryAnswers["remove"];
  /** Searches the memory. Without an embedder, compares only words. */
  recall(ask: Ask<"recall">, embedder: Embedder | undefined, signal: AbortSignal): Promise<MemoryAnswers["recall"]>;
  search(ask: Ask<"search">): MemoryAnswers["search"];
  status(): Omit<MemoryAnswers["status"], "problem" | "embedder">;
  reindex(): MemoryAnswers["reindex"];
}

export interface AgentMemoryOptions {
  readonly storage: IndexStorage;
  readonly hash: World["hash"];
}

/**
 * Creates the memory. A method that finds damage throws `memory.damaged`. The next call uses an
 * empty index and needs all files again.
 */
export const createAgentMemory = ({ storage, hash }: AgentMemoryOptions): AgentMemory => {
  let openIndex: { readonly index: ChunkIndex; readonly retrievers: Map<Embedder | undefined, Retriever> } | undefined;
  /** Requested paths that have not arrived. */
  let missingPaths = new Set<string>();
  /** Reasons why files are not indexed, by path. */
  const refusalReasons = new Map<string, string>();
  let retrieval = DEFAULT_RETRIEVAL;
  /** Whether vectors may be missing. */
  let isBehind = true;

  const close = (): void => {
    const closedIndex = openIndex;
    openIndex = undefined;
    try {
      closedIndex?.index[Symbol.dispose]();
    } catch (error) {
      // A damaged index is moved away, so it need not be written to disk.
      if (!isHearthError(error)) return;
      throw error;
    }
  };
  const requireIndex = (): ChunkIndex => {
    // Data in a deleted file would be lost when the process ends.
    if (openIndex !== undefined && storage.isReplaced()) {
      throw new HearthError("memory.damaged", "The index file was deleted or replaced while it was open.", {
        hint: "It is rebuilt from the files of the brain; nothing is lost.",
      });
    }
    openIndex ??= { index: openOrSetAside(storage), retrievers: new Map() };
    return openIndex.index;
  };
  const recover = (error: unknown): never => {
    if (isHearthError(error, "memory.damaged")) {
      missingPaths = new Set([...missingPaths, ...(openIndex?.index.files().keys() ?? [])]);
      close();
      isBehind = true;
      storage.setAside();
    }
    throw error;
  };
  /**
   * Whether most chunks lack vectors. The few chunks with vectors would then rank above chunks with
   * the exact words.
   */
  const lacksMostVectors = (): boolean => {
    if (!isBehind) return false;
    const index = requireIndex();
    const waitingCount = index.countWithoutVectors();
    isBehind = waitingCount > 0;
    return waitingCount * 2 > index.frequencies([], {}).total;
  };
  const withRecovery = <Result>(work: (index: ChunkIndex) => Result): Result => {
    try {
      return work(requireIndex());
    } catch (error) {
      return recover(error);
    }
  };

  return {
    vectorIndex: () => (retrieval === "hybrid" ? openIndex?.index : undefined),
    setRetrieval(mode) {
      retrieval = mode;
    },
    usesVectors: () => retrieval === "hybrid",
    open: ({ files }) =>
      withRecovery((index) => {
        const indexedFiles = index.files();
        for (const path of indexedFiles.keys()) if (!Object.hasOwn(files, path)) index.remove(path);
        refusalReasons.clear();
        missingPaths = new Set(Object.keys(files).filter((path) => indexedFiles.get(path) !== files[path]));
        return { wanted: [...missingPaths].sort() };
      }),
    put: ({ file }) =>
      withRecovery((index) => {
        const { file: indexed, note } = toChunkedFile(file, hash);
        missingPaths.delete(file.path);
        refusalReasons.delete(file.path);
        if (note !== undefined) {
          // The file is requested and refused again whenever a process starts, so that the note
          // reaches the caller.
          refusalReasons.set(file.path, toReason(file.path, note));
          index.remove(file.path);
          return { note };
        }
        if (index.files().get(file.path) !== file.hash) index.put(indexed);
        isBehind = true;
        return {};
      }),
    remove: ({ paths }) =>
      withRecovery((index) => {
        for (const path of paths) {
          index.remove(path);
          missingPaths.delete(path);
          refusalReasons.delete(path);
        }
        index.scrub();
        return {};
      }),
    async recall({ query, limit, visible, today, tuning = {} }, availableEmbedder, signal) {
      withRecovery(() => undefined);
      const embedder = retrieval === "hybrid" && !lacksMostVectors() ? availableEmbedder : undefined;
      try {
        const { index, retrievers } = openIndex ?? {
          index: requireIndex(),
          retrievers: new Map<Embedder | undefined, Retriever>(),
        };
        const retriever =
          retrievers.get(embedder) ?? createRetriever({ index, ...(embedder === undefined ? {} : { embedder }) });
        retrievers.set(embedder, retriever);
        const { hits, mode } = await retriever.search({
          query,
          limit,
          visible,
          tuning,
          signal,
          ...toToday(today),
        });
        const foundHits = hits.map(({ chunk, score, contributions }) => toHit(chunk, score, contributions));
        return { hits: foundHits, mode, rebuilding: missingPaths.size > 0 };
      } catch (error) {
        return recover(error);
      }
    },
    search: ({ query, limit, visible }) =>
      withRecovery((index) => {
        const scores = new Map(index.lexical(toTerms(query), limit, visible).map(({ chunk, score }) => [chunk, score]));
        const hits = index.chunks([...scores.keys()], visible);
        return {
          hits: hits.map((chunk) => {
            const score = scores.get(chunk.number) ?? 0;
            return toHit(chunk, score, { lexical: score });
          }),
          mode: "lexical",
          rebuilding: missingPaths.size > 0,
        };
      }),
    status: () =>
      withRecovery((index) => {
        const { total } = index.frequencies([], {});
        const waitingCount = index.countWithoutVectors();
        return {
          files: index.files().size,
          chunks: total,
          vectors: total - waitingCount,
          catchingUp: retrieval === "hybrid" && waitingCount > 0,
          rebuilding: missingPaths.size > 0,
          leftOut: Array.from(refusalReasons, ([path, why]) => ({ path, why })),
        };
      }),
    reindex() {
      if (openIndex !== undefined) missingPaths = new Set([...missingPaths, ...openIndex.index.files().keys()]);
      close();
      isBehind = true;
      storage.erase();
      return {};
    },
    [Symbol.dispose]: close,
  };
};

/**
 * Opens the index, or an empty one in place of an unreadable one. That needs no error, because
 * `open` then requests all files.
 */
const openOrSetAside = (storage: IndexStorage): ChunkIndex => {
  try {
    return storage.open();
  } catch (error) {
    if (!isHearthError(error, "memory.damaged")) throw error;
    storage.setAside();
    return storage.open();
  }
};
