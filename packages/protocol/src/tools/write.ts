/** Puts a whole file into the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const write = declareTool({
  name: "write",
  description: "Create or replace a whole file, and its folders.",
  input: z.strictObject({ path: z.string(), content: z.string() }),
  // No key reaches a file. The tool looks whether the file holds the content already.
  effect: "reconcilable",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  level: "w",
  needs: "nothing",
  timeoutMs: 10_000,
});
