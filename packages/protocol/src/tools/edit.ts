/** Changes a piece of a text file of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const edit = declareTool({
  name: "edit",
  description: "Replace text in a file. `old` must match exactly once, unless `all`.",
  input: z.strictObject({ path: z.string(), old: z.string(), new: z.string(), all: z.boolean().optional() }),
  // A second run may find `old` again in what the first one wrote.
  effect: "plain",
  // A failing edit speaks of the file but never quotes it.
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  level: "w",
  needs: "nothing",
  timeoutMs: 10_000,
});
