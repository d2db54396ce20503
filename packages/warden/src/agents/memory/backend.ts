/** The interface by which an adapter provides the memory of a house. The core depends on no index. */
import type { Clock, Fetch, MemoryBackend, MemorySource, MemoryTuning } from "@hearth/protocol";

/** A budget reservation for an embedding request. */
export interface EmbeddingCharge {
  /**
   * Settles with the used tokens. Undefined: not reported, so the reservation counts. Only the
   * first call counts.
   */
  settle(tokens: number | undefined): void;
}

/**
 * How embedding requests leave the house. The index process has no network and never sees the key.
 */
export interface EmbeddingRequests {
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
  readonly pay: (inputTokens: number) => Promise<EmbeddingCharge>;
}

export interface MemoryParts {
  /** Opens the configured index. Starts nothing before the first query. */
  open(source: MemorySource, requests: EmbeddingRequests): Promise<MemoryBackend>;
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
