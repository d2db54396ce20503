/** Creates the configured search engine. Its key is read at each search and not kept in memory. */
import type { SearchConfig } from "../../kernel/index.ts";
import { type Clock, type Fetch, HearthError } from "@hearth/protocol";
import type { WebSearch } from "./search.ts";

export const createHouseSearch =
  (options: {
    readonly world: { readonly fetch: Fetch; readonly clock: Clock };
    readonly searchConfig: () => SearchConfig | undefined;
    /** Reads the key to which the config refers. */
    readonly readKey: (reference: NonNullable<SearchConfig["apiKey"]>) => Promise<string | undefined>;
  }): (() => WebSearch) =>
  () => {
    const config = options.searchConfig();
    if (config === undefined)
      throw new HearthError("search.none", "This house has no search engine.", {
        hint: "An administrator can set one: hearth config set search.kind=brave search.api_key=secret:NAME",
      });
    const { kind, baseUrl, apiKey } = config;
    return {
      async search(query, limit, signal) {
        const key = apiKey === undefined ? undefined : await options.readKey(apiKey);
        if (apiKey !== undefined && key === undefined)
          throw new HearthError("search.failed", "The key of the search engine cannot be read.", {
            hint: "Correct its key: hearth config set search.api_key=REFERENCE",
          });
        const { fetch, clock } = options.world;
        const { engines } = await import("./index.ts");
        const engine = engines[kind]({
          fetch,
          clock,
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(key === undefined ? {} : { key }),
        });
        return engine.search(query, limit, signal);
      },
    };
  };
