/** Searching the web: one interface for whoever does it. */
import type { Clock, Fetch } from "@hearth/protocol";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** What the engine quotes of the page, without markup. May be empty. */
  readonly text: string;
}

/**
 * Contract, checked by `searchConformance`:
 * - results come in the engine's order, at most `limit`, each with an http or https address; others are left out
 * - titles and quotes are plain text of bounded length
 * - throws `search.failed` with what to do, for whatever goes wrong but an abort: refused, limited, not understood, not answered in time
 * - the key stands in a header and in no error
 */
export interface WebSearch {
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly SearchResult[]>;
}

export interface WebSearchOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Where it answers; absent: the vendor's own address. */
  readonly baseUrl?: string;
  readonly key?: string;
}

export type WebSearchFactory = (options: WebSearchOptions) => WebSearch;
