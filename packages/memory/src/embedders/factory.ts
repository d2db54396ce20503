/** How an embedder comes to be: what it is told, and what it may use of the world. */
import type { Clock, Fetch } from "@hearth/protocol";
import type { Embedder } from "./embedder.ts";

export interface EmbedderOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Where a peer answers, without a slash at its end. */
  readonly baseUrl?: string;
  /** As the peer names it. */
  readonly model?: string;
  /** How many numbers a vector of that model has. */
  readonly dimensions?: number;
  /** A text as it may leave the house. */
  readonly clean?: (text: string) => string;
  /** Asked before each request with more tokens than it can be; what it gives is told what it came to. Throws where it may not be made. */
  readonly pay?: (inputTokens: number) => Promise<{ settle(tokens: number | undefined): void }>;
  /** Read at each request and kept nowhere. Nothing: the peer asks for none. Throws `memory.no-embedder` where it should be there. */
  readonly key?: () => Promise<string | undefined>;
}

/** Nothing stands for a house without vectors. Throws `config.invalid` when something is missing; loads and asks nothing. */
export type EmbedderFactory = (options: EmbedderOptions) => Embedder | undefined;
