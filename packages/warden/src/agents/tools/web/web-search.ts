/** Searches the web with the house's configured engine. */
import { isHearthError } from "@hearth/protocol";
import { callerOf, untrustedLabel } from "./http-fetch.ts";
import type { WebSearch } from "../../search/search.ts";
import { failedOutcome, type RunHostTool } from "../tool.ts";

const DEFAULT_LIMIT = 8;

interface SearchParts {
  /** Returns the configured search engine. Throws `search.none`. */
  readonly search: () => WebSearch;
}

export const webSearch: RunHostTool<"web_search", SearchParts> = async (
  { query, limit = DEFAULT_LIMIT },
  call,
  { search },
) => {
  try {
    const results = await search().search(query, limit, callerOf(call).signal);
    const lines = results.map(({ title, url, text }, index) => `${index + 1}. ${title}\n${url}\n${text}`.trimEnd());
    return { text: lines.join("\n\n") || "Nothing was found.", failed: false, label: untrustedLabel("web search") };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return failedOutcome(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
};
