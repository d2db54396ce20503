/** Declares the tool that reads a web page. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const httpFetch = declareTool({
  name: "http_fetch",
  description: "Read a web page as text.",
  input: z.strictObject({ url: z.string().min(1).max(8000) }),
  // The request sends nothing but its URL.
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: true, destroys: false },
  sinks: ["url"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  timeoutMs: 60_000,
  words: {
    doing: "Reading",
    done: "Read",
    object: "url",
    title: "Read web pages",
    summary: "Reads a page of a host that it may reach.",
    group: "web",
    risks: ["leaves", "strangers"],
  },
});
