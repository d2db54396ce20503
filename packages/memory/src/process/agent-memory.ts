/** The memory of one agent: its index, what is still missing from it, and what becomes of one that is damaged. */
import {
  DEFAULT_RETRIEVAL,
  HearthError,
  isHearthError,
  type MemoryAnswers,
  type MemoryAsk,
  type Retrieval,
  type World,
} from "@hearth/protocol";
import { toTerms } from "../chunks/terms.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex } from "../index/chunk-index.ts";
import { createRetriever, type Retriever } from "../retrieval/retriever.ts";
import { toIndexed, whyOf } from "./indexed-file.ts";
import { toHit } from "./to-hit.ts";
import { toToday } from "./to-today.ts";

/** Where an index is kept. */
export interface IndexPlace {
  /** Throws `memory.damaged` when there is one that cannot be used. */
  open(): ChunkIndex;
  /** Whether somebody took away what was opened last, or put something else in its place. */
  isGone(): boolean;
  /** Out of the way, so that the next `open` gives an empty one. */
  setAside(): void;
  /** Nothing stays. */
  erase(): void;
}

type Asked<Type extends MemoryAsk["type"]> = Extract<MemoryAsk, { readonly type: Type }>;

export interface AgentMemory extends Disposable {
  /** The index, for vectors, when there is one that is open and its texts may become vectors. */
  opened(): ChunkIndex | undefined;
  /** Holds for all that is asked later. */
  find(by: Retrieval): void;
  isByMeaning(): boolean;
  open(asked: Asked<"open">): MemoryAnswers["open"];
  put(asked: Asked<"put">): MemoryAnswers["put"];
  remove(asked: Asked<"remove">): MemoryAnswers["remove"];
  /** Without an embedder, by words alone. */
  recall(asked: Asked<"recall">, embedder: Embedder | undefined, signal: AbortSignal): Promise<MemoryAnswers["recall"]>;
  search(asked: Asked<"search">): MemoryAnswers["search"];
  status(): Omit<MemoryAnswers["status"], "problem" | "embedder">;
  reindex(): MemoryAnswers["reindex"];
  forget(): MemoryAnswers["forget"];
}

export interface AgentMemoryOptions {
  readonly place: IndexPlace;
  readonly hash: World["hash"];
}

/** What finds damage throws `memory.damaged`, once: the next one works on an empty index, and everything is wanted again. */
export const createAgentMemory = ({ place, hash }: AgentMemoryOptions): AgentMemory => {
  let opened: { readonly index: ChunkIndex; readonly retrievers: Map<Embedder | undefined, Retriever> } | undefined;
  /** Paths that were wanted and have not come. */
  let wanted = new Set<string>();
  /** Path → why it is not in the index. */
  const refused = new Map<string, string>();
  let retrieval = DEFAULT_RETRIEVAL;
  /** Vectors may be missing. */
  let isBehind = true;

  const close = (): void => {
    const closing = opened;
    opened = undefined;
    try {
      closing?.index[Symbol.dispose]();
    } catch (error) {
      // One that is set aside need not be written out.
      if (!isHearthError(error)) return;
      throw error;
    }
  };
  const use = (): ChunkIndex => {
    // What is written to a file that has no name any more is lost with the process.
    if (opened !== undefined && place.isGone()) {
      throw new HearthError("memory.damaged", "The index was taken away while it was open.", {
        hint: "It is made anew from the files of the brain; nothing is lost.",
      });
    }
    opened ??= { index: openOrSetAside(place), retrievers: new Map() };
    return opened.index;
  };
  const recover = (error: unknown): never => {
    if (isHearthError(error, "memory.damaged")) {
      wanted = new Set([...wanted, ...(opened?.index.files().keys() ?? [])]);
      close();
      isBehind = true;
      place.setAside();
    }
    throw error;
  };
  /** Where most pieces have no vectors yet, those that have some would stand before those that have the very words. */
  const lacksMost = (): boolean => {
    if (!isBehind) return false;
    const index = use();
    const waiting = index.countWaiting();
    isBehind = waiting > 0;
    return waiting * 2 > index.frequencies([], {}).total;
  };
  const guarded = <Result>(work: (index: ChunkIndex) => Result): Result => {
    try {
      return work(use());
    } catch (error) {
      return recover(error);
    }
  };

  return {
    opened: () => (retrieval === "hybrid" ? opened?.index : undefined),
    find(by) {
      retrieval = by;
    },
    isByMeaning: () => retrieval === "hybrid",
    open: ({ files }) =>
      guarded((index) => {
        const known = index.files();
        for (const path of known.keys()) if (!Object.hasOwn(files, path)) index.remove(path);
        refused.clear();
        wanted = new Set(Object.keys(files).filter((path) => known.get(path) !== files[path]));
        return { wanted: [...wanted].sort() };
      }),
    put: ({ file }) =>
      guarded((index) => {
        const { file: indexed, note } = toIndexed(file, hash);
        wanted.delete(file.path);
        refused.delete(file.path);
        if (note !== undefined) {
          // It is wanted again, and refused again, whenever a process starts: so whoever asks is told.
          refused.set(file.path, whyOf(file.path, note));
          index.remove(file.path);
          return { note };
        }
        if (index.files().get(file.path) !== file.hash) index.put(indexed);
        isBehind = true;
        return {};
      }),
    remove: ({ paths }) =>
      guarded((index) => {
        for (const path of paths) {
          index.remove(path);
          wanted.delete(path);
          refused.delete(path);
        }
        index.scrub();
        return {};
      }),
    async recall({ query, limit, visible, today, tuning = {} }, given, signal) {
      guarded(() => undefined);
      const embedder = retrieval === "hybrid" && !lacksMost() ? given : undefined;
      try {
        const { index, retrievers } = opened ?? {
          index: use(),
          retrievers: new Map<Embedder | undefined, Retriever>(),
        };
        const retriever =
          retrievers.get(embedder) ?? createRetriever({ index, ...(embedder === undefined ? {} : { embedder }) });
        retrievers.set(embedder, retriever);
        const { hits, mode } = await retriever.search({
          ...{ query, limit, visible, tuning, signal },
          ...toToday(today),
        });
        const found = hits.map(({ chunk, score, why }) => toHit(chunk, score, why));
        return { hits: found, mode, rebuilding: wanted.size > 0 };
      } catch (error) {
        return recover(error);
      }
    },
    search: ({ query, limit, visible }) =>
      guarded((index) => {
        const scores = new Map(index.lexical(toTerms(query), limit, visible).map(({ chunk, score }) => [chunk, score]));
        const hits = index.chunks([...scores.keys()], visible);
        return {
          hits: hits.map((chunk) => {
            const score = scores.get(chunk.number) ?? 0;
            return toHit(chunk, score, { lexical: score });
          }),
          ...{ mode: "lexical", rebuilding: wanted.size > 0 },
        };
      }),
    status: () =>
      guarded((index) => {
        const { total } = index.frequencies([], {});
        const waiting = index.countWaiting();
        return {
          ...{ files: index.files().size, chunks: total, vectors: total - waiting },
          ...{ catchingUp: retrieval === "hybrid" && waiting > 0, rebuilding: wanted.size > 0 },
          leftOut: Array.from(refused, ([path, why]) => ({ path, why })),
        };
      }),
    reindex() {
      if (opened !== undefined) wanted = new Set([...wanted, ...opened.index.files().keys()]);
      close();
      isBehind = true;
      place.erase();
      return {};
    },
    forget() {
      close();
      place.erase();
      wanted.clear();
      refused.clear();
      return {};
    },
    [Symbol.dispose]: close,
  };
};

/** What cannot be read when it is opened is nothing to tell whoever asks: what is missing is wanted in any case. */
const openOrSetAside = (place: IndexPlace): ChunkIndex => {
  try {
    return place.open();
  } catch (error) {
    if (!isHearthError(error, "memory.damaged")) throw error;
    place.setAside();
    return place.open();
  }
};
