/** Brave's web search. Source: api-dashboard.search.brave.com/docs, "Web Search API". */
import { z } from "zod";
import { requestEngine, toResults } from "./call.ts";
import type { WebSearchFactory } from "./search.ts";

const BASE_URL = "https://api.search.brave.com/res/v1";
/** Maximum number of results per request. */
const MAX_RESULTS = 20;

const Answer = z.object({
  web: z
    .object({
      results: z
        .array(z.object({ title: z.string(), url: z.string(), description: z.string().default("") }))
        .default([]),
    })
    .optional(),
});

export const createBraveSearch: WebSearchFactory = ({ baseUrl = BASE_URL, key = "", ...options }) => ({
  async search(query, limit, signal) {
    const parameters = new URLSearchParams({ q: query, count: String(Math.min(limit, MAX_RESULTS)) });
    const { web } = await requestEngine(options, {
      engine: "Brave Search",
      url: `${baseUrl}/web/search?${parameters}`,
      headers: { "x-subscription-token": key },
      answer: Answer,
      signal,
    });
    return toResults(
      (web?.results ?? []).map(({ title, url, description }) => ({ title, url, text: description })),
      limit,
    );
  },
});
