/** The interface between the house and its memory backends. */
import type {
  AgentId,
  MemoryFile,
  MemoryStatus,
  MemoryTuning,
  MemoryVisible,
  Recalled,
  Retrieval,
} from "@hearth/protocol";

export interface Recall {
  readonly agent: AgentId;
  readonly query: string;
  readonly limit: number;
  readonly visible: MemoryVisible;
  /** The day that "yesterday" counts from, YYYY-MM-DD. */
  readonly today?: string;
  readonly tuning?: MemoryTuning;
  readonly signal?: AbortSignal;
}

/** The files of the brains, from which a memory is derived. */
export interface MemorySource {
  /** Path → hash of every file of the agent to index. */
  list(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  /** Returns `undefined` if the file no longer exists. */
  read(agent: AgentId, path: string): Promise<MemoryFile | undefined>;
  /** The agent's retrieval mode. With "lexical", none of its texts becomes a vector. */
  retrieval(agent: AgentId): Promise<Retrieval>;
}

/**
 * Contract, checked by `memoryBackendConformance`:
 * - a file is recalled by its words once `put` resolves, in place of the earlier file of its path
 * - files of the source are eventually recalled without `put`; until then answers say `rebuilding`
 * - an invisible text is not among the hits and does not affect them; a hit has its path and lines
 * - after `remove` and `forget` nothing of the files is recalled; only the source can bring them
 *   back
 * - after `remove`, even of no file, text that was removed or replaced before is gone from the disk
 * - an aborted signal rejects soon with `memory.aborted`
 */
export interface MemoryBackend extends AsyncDisposable {
  put(agent: AgentId, file: MemoryFile): Promise<void>;
  remove(agent: AgentId, paths: readonly string[]): Promise<void>;
  recall(recall: Recall): Promise<Recalled>;
  status(agent: AgentId): Promise<MemoryStatus>;
  forget(agent: AgentId): Promise<void>;
  /** Rebuilds the derived data from the source. Resolves once the rebuild has begun. */
  reindex(agent: AgentId): Promise<void>;
  /** Resolves once all files of the source are indexed. */
  settled(agent: AgentId): Promise<void>;
}
