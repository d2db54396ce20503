/** Declares the tool that replaces text in a workspace file. */
import { z } from "zod";
import { declareTool, MAX_CONTENT_BYTES } from "./tool.ts";

export const edit = declareTool({
  name: "edit",
  description: "Replace text in a file. `old` must match exactly once, unless `all`.",
  input: z.strictObject({ path: z.string(), old: z.string(), new: z.string(), all: z.boolean().optional() }),
  // A second run could match `old` in text that the first run wrote.
  effect: "plain",
  // Its errors mention the file but never quote it.
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "changes",
  level: "w",
  needs: "nothing",
  timeoutMs: 10_000,
  maxArgumentBytes: MAX_CONTENT_BYTES,
  words: {
    doing: "Changing",
    done: "Changed",
    object: "path",
    change: "replacement",
    title: "Edit files",
    summary: "Replaces text in files of its workspace.",
    group: "files",
    risks: ["files"],
  },
});
