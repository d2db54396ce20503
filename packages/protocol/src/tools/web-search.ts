/** Declares the tool that searches the web. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const webSearch = declareTool({
  name: "web_search",
  description: "Search the web.",
  input: z.strictObject({ query: z.string().min(1).max(400), limit: z.int().min(1).max(20).optional() }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: true, destroys: false },
  sinks: ["query"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  timeoutMs: 60_000,
  words: {
    doing: "Searching the web for",
    done: "Searched the web for",
    object: "query",
    title: "Search the web",
    summary: "Sends a query to the search engine of this house.",
    group: "web",
    risks: ["leaves", "strangers"],
  },
});
