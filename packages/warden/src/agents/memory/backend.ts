/** The interface by which an adapter provides the memory of a house. The core depends on no index. */
import type { Clock, Fetch, MemoryBackend, MemorySource } from "@hearth/protocol";
import type { MemoryTuning } from "@hearth/protocol/memory-frames";

/** A budget reservation for an embedding request. */
export interface EmbeddingCharge {
  /**
   * Charges the used tokens instead of the reservation. If `tokens` is undefined, the provider
   * did not report them, and the reservation is charged. Only the first call has an effect.
   */
  settle(tokens: number | undefined): void;
}

/**
 * Sends embedding requests to the provider. The index process has no network and never sees the
 * key.
 */
export interface EmbeddingRequests {
  /** Throws `memory.no-embedder` while everything is stopped. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /**
   * Reads the key at each request. Returns undefined if the config names no key. Throws
   * `memory.no-embedder` if the key is missing.
   */
  readonly readKey: () => Promise<string | undefined>;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /**
   * Reserves the maximum cost of a request in the house's budget. Throws `memory.no-embedder` if
   * the budget does not suffice.
   */
  readonly reserve: (inputTokens: number) => Promise<EmbeddingCharge>;
}

export interface MemoryParts {
  /** Opens the configured index. Starts no process before the first query. */
  open(source: MemorySource, requests: EmbeddingRequests): Promise<MemoryBackend>;
  /**
   * Opens an index that needs only the files. It searches by words while the other index is
   * unavailable.
   */
  openWordSearch(source: MemorySource): Promise<MemoryBackend>;
  /** The process of `open` exits after this time without a query. */
  readonly idleMs: number;
  /** Default number of hits. */
  readonly topK: number;
  readonly tuning: MemoryTuning;
}
