/**
 * Interface between the house and its memory index. An adapter provides the index, so the core
 * depends on none.
 */
import type {
  AgentId,
  Clock,
  Fetch,
  MemoryFile,
  MemoryStatus,
  MemoryTuning,
  MemoryVisible,
  Recalled,
  Retrieval,
} from "@hearth/protocol";

/** The brains, from which the index is derived. */
export interface MemorySource {
  /** Path → hash of every file of an agent to index. */
  list(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  /** Undefined if the file is gone. */
  read(agent: AgentId, path: string): Promise<MemoryFile | undefined>;
  /** The record's setting. With words alone, no text is sent to an embedder. */
  retrieval(agent: AgentId): Promise<Retrieval>;
}

export interface MemoryQuestion {
  readonly agent: AgentId;
  readonly query: string;
  readonly limit: number;
  readonly visible: MemoryVisible;
  /** The day that "yesterday" is relative to, YYYY-MM-DD. */
  readonly today?: string;
  readonly tuning: MemoryTuning;
  readonly signal?: AbortSignal;
}

/**
 * - When `put` resolves, the text can be found by its words and replaces the earlier text of its
 *   path.
 * - Hits that are not visible are neither returned nor change the ranking.
 * - After `remove`, even of no file, nothing removed or replaced before is on disk.
 * - A failing call throws and may be repeated.
 */
export interface MemoryBackend extends AsyncDisposable {
  put(agent: AgentId, file: MemoryFile): Promise<void>;
  remove(agent: AgentId, paths: readonly string[]): Promise<void>;
  recall(question: MemoryQuestion): Promise<Recalled>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Rebuilds the index from the source. Resolves once the rebuild has begun. */
  reindex(agent: AgentId): Promise<void>;
  /** Resolves once the index is up to date with the source. */
  settled(agent: AgentId): Promise<void>;
}

/** A budget reservation for an embedding request. */
export interface EmbeddingToll {
  /**
   * Settles with the used tokens. Undefined: not reported, so the reservation counts. Only the
   * first call counts.
   */
  settle(tokens: number | undefined): void;
}

/**
 * How embedding requests leave the house. The index process has no network and never sees the key.
 */
export interface EmbeddingWay {
  /** Throws `memory.no-embedder` while everything is stopped. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /**
   * Read at each request. Undefined: the config names none. Throws `memory.no-embedder` if it is
   * missing.
   */
  readonly key: () => Promise<string | undefined>;
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string;
  /**
   * Reserves the maximum cost of a request in the house's budget. Throws `memory.no-embedder` if it
   * does not fit.
   */
  readonly pay: (inputTokens: number) => Promise<EmbeddingToll>;
}

export interface MemoryParts {
  /** Opens the configured index. Starts nothing before the first query. */
  open(source: MemorySource, way: EmbeddingWay): Promise<MemoryBackend>;
  /**
   * Opens an index that needs nothing but the files. It answers by words while the other one is
   * unavailable.
   */
  scan(source: MemorySource): Promise<MemoryBackend>;
  /** The process of `open` exits after this time without a query. */
  readonly idleMs: number;
  /** Default number of hits. */
  readonly topK: number;
  readonly tuning: MemoryTuning;
}
