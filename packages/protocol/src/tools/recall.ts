/** Looks through the agent's memory, by words and by meaning. */
import { z } from "zod";
import { MAX_MEMORY_QUERY, MAX_RECALLED } from "../memory.ts";
import { declareTool } from "./tool.ts";

export const recall = declareTool({
  name: "recall",
  description: "Search your memory.",
  input: z.strictObject({
    query: z.string().min(1).max(MAX_MEMORY_QUERY),
    limit: z.int().min(1).max(MAX_RECALLED).optional(),
  }),
  effect: "pure",
  // What others wrote is hidden in the prompt and found here, with the label it has.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  level: "r",
  needs: "nothing",
  timeoutMs: 30_000,
});
