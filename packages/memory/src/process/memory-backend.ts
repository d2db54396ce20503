/** What the house asks of its memory, whatever it is made of. */
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
  /** What "yesterday" counts from, YYYY-MM-DD. */
  readonly today?: string;
  readonly tuning?: MemoryTuning;
  readonly signal?: AbortSignal;
}

/** The brains as they are: the truth that a memory is derived from. */
export interface MemorySource {
  /** Path → hash of every file of an agent that is to be remembered. */
  list(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  /** Nothing, when it has gone meanwhile. */
  read(agent: AgentId, path: string): Promise<MemoryFile | undefined>;
  /** What the agent's record says: of one that is found by words alone no text becomes a vector. */
  retrieval(agent: AgentId): Promise<Retrieval>;
}

/**
 * Contract, checked by `memoryBackendConformance`:
 * - what was put is recalled by its words from the moment `put` resolves, in place of what its path had before
 * - what the source has is recalled without being put, sooner or later; until then an answer says `rebuilding`
 * - nothing that is not visible is among the hits or moves them; a hit is cited by path and lines
 * - after `remove` and `forget` nothing of it is recalled; what is forgotten comes back only from the source
 * - after `remove`, of no file too, nothing that was removed or replaced before is on the disk
 * - an aborted signal rejects soon with `memory.aborted`
 */
export interface MemoryBackend extends AsyncDisposable {
  put(agent: AgentId, file: MemoryFile): Promise<void>;
  remove(agent: AgentId, paths: readonly string[]): Promise<void>;
  recall(recall: Recall): Promise<Recalled>;
  status(agent: AgentId): Promise<MemoryStatus>;
  forget(agent: AgentId): Promise<void>;
  /** Makes what is derived anew from the source. Resolves once that has begun. */
  reindex(agent: AgentId): Promise<void>;
  /** Resolves once what the source has is in the index. */
  settled(agent: AgentId): Promise<void>;
}
