/** Declares the tool that reads a file of the agent's brain. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const readBrain = declareTool({
  name: "read_brain",
  description: "Read a file of your brain.",
  input: z.strictObject({
    path: z.string().min(1).max(1024),
    offset: z.int().min(1).optional().describe("first line"),
  }),
  effect: "pure",
  // Untrusted lines are hidden in the prompt but shown here, with their label.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  quotesBrain: true,
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
});
