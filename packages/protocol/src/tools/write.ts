/** Declares the tool that creates or replaces a workspace file. */
import { z } from "zod";
import { declareTool, MAX_CONTENT_BYTES } from "./tool.ts";

export const write = declareTool({
  name: "write",
  description: "Create or replace a whole file, and its folders.",
  input: z.strictObject({ path: z.string(), content: z.string() }),
  // Files have no idempotency keys. The tool checks whether the file already has the content.
  effect: "reconcilable",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "writes",
  level: "w",
  needs: "nothing",
  timeoutMs: 10_000,
  maxArgumentBytes: MAX_CONTENT_BYTES,
  words: {
    doing: "Writing",
    done: "Wrote",
    object: "path",
    change: "whole",
    title: "Write files",
    summary: "Creates and replaces files in its workspace.",
    group: "files",
    risks: ["files"],
  },
});
