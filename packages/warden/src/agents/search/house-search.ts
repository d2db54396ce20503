/**
 * Web search: the interface of all engines, and the configured one. Its key is read at each search
 * and not kept.
 */
import type { SearchConfig } from "../../kernel/index.ts";
import { HearthError, type Clock, type Fetch } from "@hearth/protocol";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** The engine's quote of the page, without markup. May be empty. */
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
  /** Base URL. Absent: the vendor's. */
  readonly baseUrl?: string;
  readonly key?: string;
}

export type WebSearchFactory = (options: WebSearchOptions) => WebSearch;

export const createHouseSearch =
  (options: {
    readonly world: Pick<WebSearchOptions, "fetch" | "clock">;
    readonly configured: () => SearchConfig | undefined;
    /** Resolves a reference of the config. */
    readonly readKey: (reference: NonNullable<SearchConfig["apiKey"]>) => Promise<string | undefined>;
  }): (() => WebSearch) =>
  () => {
    const config = options.configured();
    if (config === undefined)
      throw new HearthError("search.none", "This house has no search engine.", {
        hint: "A person can configure one below [search] in hearth.toml.",
      });
    const { kind, baseUrl, apiKey } = config;
    return {
      async search(query, limit, signal) {
        const key = apiKey === undefined ? undefined : await options.readKey(apiKey);
        if (apiKey !== undefined && key === undefined)
          throw new HearthError("search.failed", "The key of the search engine cannot be read.", {
            hint: "Check api_key below [search] in hearth.toml.",
          });
        const { fetch, clock } = options.world;
        const { engines } = await import("./index.ts");
        const engine = engines[kind]({
          ...{ fetch, clock },
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(key === undefined ? {} : { key }),
        });
        return engine.search(query, limit, signal);
      },
    };
  };
