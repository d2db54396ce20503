/** A search engine over fixed pages, for tests and demonstrations. */
import { toResults } from "./call.ts";
import type { SearchResult, WebSearch } from "./search.ts";

export const createFakeSearch = (pages: readonly SearchResult[]): WebSearch => ({
  search: async (query, limit) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return toResults(
      pages.filter(({ title, text }) => words.every((word) => `${title} ${text}`.toLowerCase().includes(word))),
      limit,
    );
  },
});
