/** Web search: the interface of all engines. */
import type { Clock, Fetch } from "@hearth/protocol";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** The engine's quote of the page, without tags. It may be empty. */
  readonly text: string;
}

/**
 * Contract, checked by `searchConformance`:
 * - Results are in the engine's order, at most `limit`, each with an http or https address; others
 *   are omitted.
 * - Titles and quotes are plain text of bounded length.
 * - Every failure except an abort throws `search.failed` with an instruction: refused, rate
 *   limited, invalid, timed out.
 * - The key is sent in a header and never part of an error.
 */
export interface WebSearch {
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly SearchResult[]>;
}

export interface WebSearchOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The base URL. The default is the vendor's. */
  readonly baseUrl?: string;
  readonly key?: string;
}

export type WebSearchFactory = (options: WebSearchOptions) => WebSearch;
