/**
 * A self-hosted SearXNG. It must allow the format `json`. Source: docs.searxng.org, "Search API".
 */
import { z } from "zod";
import { requestEngine, toResults } from "./call.ts";
import type { WebSearchFactory } from "./search.ts";

const BASE_URL = "http://127.0.0.1:8080";

const Answer = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
});

export const createSearxngSearch: WebSearchFactory = ({ baseUrl = BASE_URL, key, ...options }) => ({
  async search(query, limit, signal) {
    const parameters = new URLSearchParams({ q: query, format: "json" });
    const { results } = await requestEngine(options, {
      engine: "SearXNG",
      url: `${baseUrl.replace(/\/$/, "")}/search?${parameters}`,
      // The key is for an instance behind an authenticating proxy.
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
      answer: Answer,
      signal,
    });
    return toResults(
      results.map(({ title, url, content }) => ({ title, url, text: content ?? "" })),
      limit,
    );
  },
});
