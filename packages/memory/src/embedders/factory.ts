/** The options of embedder factories. */
import type { Clock, Fetch } from "@hearth/protocol";
import type { Embedder } from "./embedder.ts";

export interface EmbedderOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Address of the server, without a slash at the end. */
  readonly baseUrl?: string;
  /** The model's name on the server. */
  readonly model?: string;
  /** Size of the model's vectors. */
  readonly dimensions?: number;
  /** Removes secrets from a text before it leaves the house. */
  readonly redact?: (text: string) => string;
  /**
   * Reserves the cost of each request, for an upper bound of its tokens. `settle` gets the actual
   * number, if it is known. Throws if the budget does not allow the request.
   */
  readonly reserve?: (inputTokens: number) => Promise<{ settle(tokens: number | undefined): void }>;
  /**
   * Reads the key for each request, and does not store it. Resolves with undefined if the server
   * needs no key. Throws `memory.no-embedder` if a configured key cannot be read.
   */
  readonly readKey?: () => Promise<string | undefined>;
}

/**
 * Creates an embedder. Returns undefined for a house without vectors. Throws `config.invalid` if an
 * option is missing. Sends no request.
 */
export type EmbedderFactory = (options: EmbedderOptions) => Embedder | undefined;
