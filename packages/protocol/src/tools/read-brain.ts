/** Reads a file of the agent's brain. */
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
  // What others wrote is hidden in the prompt and shown here, with the label it has.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
});
