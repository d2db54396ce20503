/** What the house asks of whatever its memory is made of, and what it tells it. An adapter makes one: no core knows an index. */
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

/** The brains as they are: the truth that a memory is derived from. */
export interface MemorySource {
  /** Path → hash of every file of an agent that is to be remembered. */
  list(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  /** Nothing, when it has gone meanwhile. */
  read(agent: AgentId, path: string): Promise<MemoryFile | undefined>;
  /** What the agent's record says: of one that is found by words alone no text becomes a vector. */
  retrieval(agent: AgentId): Promise<Retrieval>;
}

export interface MemoryQuestion {
  readonly agent: AgentId;
  readonly query: string;
  readonly limit: number;
  readonly visible: MemoryVisible;
  /** What "yesterday" counts from, YYYY-MM-DD. */
  readonly today?: string;
  readonly tuning: MemoryTuning;
  readonly signal?: AbortSignal;
}

/**
 * - what was put is recalled by its words from the moment `put` resolves, in place of what its path had before
 * - nothing that is not visible is among the hits, or moves them
 * - after `remove`, of no file too, nothing that was removed or replaced before is on the disk
 * - what cannot answer throws; it may be asked again
 */
export interface MemoryBackend extends AsyncDisposable {
  put(agent: AgentId, file: MemoryFile): Promise<void>;
  remove(agent: AgentId, paths: readonly string[]): Promise<void>;
  recall(question: MemoryQuestion): Promise<Recalled>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Makes what is derived anew from the source. Resolves once that has begun. */
  reindex(agent: AgentId): Promise<void>;
  /** Resolves once what the source has is in the index. */
  settled(agent: AgentId): Promise<void>;
}

/** What a request for vectors may cost, held back. */
export interface EmbeddingToll {
  /** What it came to, in tokens. Nothing: nobody reported it, and it counts as what was held back. The first word counts. */
  settle(tokens: number | undefined): void;
}

/** How texts get to a peer that makes vectors of them. The process that indexes has no network, and never sees the key. */
export interface EmbeddingWay {
  /** Throws `memory.no-embedder` while everything is stopped. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Read at each request. Nothing: the config names none. Throws `memory.no-embedder` where it should be there. */
  readonly key: () => Promise<string | undefined>;
  /** A text without what may not leave the house. */
  readonly clean: (text: string) => string;
  /** Before each request: what so many tokens cost at most has to fit the house's budget. Throws `memory.no-embedder` where it does not. */
  readonly pay: (inputTokens: number) => Promise<EmbeddingToll>;
}

export interface MemoryParts {
  /** What the config names. Nothing is started before it is asked something. */
  open(source: MemorySource, way: EmbeddingWay): Promise<MemoryBackend>;
  /** One that takes nothing but the files: it answers by words while the other one cannot. */
  scan(source: MemorySource): Promise<MemoryBackend>;
  /** After so long without a question the process of `open` leaves. */
  readonly idleMs: number;
  /** How many hits an answer has where nobody says. */
  readonly topK: number;
  readonly tuning: MemoryTuning;
}
