/** The interface between the house and its memory backends. Contains only types. */
import type { AgentId } from "../base/ids.ts";
import type { MemoryStatus, Retrieval } from "./memory.ts";
import type { MemoryFile, MemoryTuning, MemoryFilter, RecallResult } from "./memory-frames.ts";

/** The files of the brains, from which a memory is derived. */
export interface MemorySource {
  /** Returns the hash of every file of the agent to index, by path. */
  list(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  /** Reads a file. Resolves with undefined if it no longer exists. */
  read(agent: AgentId, path: string): Promise<MemoryFile | undefined>;
  /** Returns the setting of the agent's record. With "lexical", no text of the agent is sent to an embedder. */
  retrieval(agent: AgentId): Promise<Retrieval>;
}

export interface MemoryQuestion {
  readonly agent: AgentId;
  readonly query: string;
  readonly limit: number;
  readonly visible: MemoryFilter;
  /** The day that "yesterday" is relative to, YYYY-MM-DD. */
  readonly today?: string;
  readonly tuning?: MemoryTuning;
  readonly signal?: AbortSignal;
}

/**
 * Contract, checked by `memoryBackendConformance`:
 * - a file is recalled by its words once `put` resolves, in place of the earlier file of its path
 * - files of the source are eventually recalled without `put`; until then answers say `rebuilding`
 * - an invisible text is not among the hits and does not affect them; a hit has its path and lines
 * - after `remove` nothing of the files is recalled; only the source can bring them back
 * - after `remove`, even of no file, text that was removed or replaced before is gone from the disk
 * - an aborted signal rejects soon with `memory.aborted`
 * - a failing call throws and may be repeated
 */
export interface MemoryBackend extends AsyncDisposable {
  put(agent: AgentId, file: MemoryFile): Promise<void>;
  remove(agent: AgentId, paths: readonly string[]): Promise<void>;
  recall(question: MemoryQuestion): Promise<RecallResult>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Rebuilds the derived data from the source. Resolves once the rebuild has begun. */
  reindex(agent: AgentId): Promise<void>;
  /** Resolves once all files of the source are indexed. */
  whenIndexed(agent: AgentId): Promise<void>;
}
