/** Declares the tool that searches the agent's memory by words and meaning. */
import { z } from "zod";
import { MAX_MEMORY_QUERY, MAX_RECALLED } from "../agents/memory.ts";
import { declareTool } from "./tool.ts";

export const recall = declareTool({
  name: "recall",
  description: "Search your memory.",
  input: z.strictObject({
    query: z.string().min(1).max(MAX_MEMORY_QUERY),
    limit: z.int().min(1).max(MAX_RECALLED).optional(),
  }),
  effect: "pure",
  // Untrusted lines are hidden in the prompt but found here, with their label.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  quotesBrain: true,
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 30_000,
});
