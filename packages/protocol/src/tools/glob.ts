/** Declares the tool that finds workspace files by name. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const glob = declareTool({
  name: "glob",
  description: "Find files by name, newest first, e.g. `**/*.md`.",
  input: z.strictObject({ pattern: z.string().min(1), path: z.string().optional().describe("folder") }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "lists",
  level: "r",
  needs: "nothing",
  timeoutMs: 20_000,
});
