/** Declares the tool that reads a text file or a document of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const read = declareTool({
  name: "read",
  description: "Read a text file or document. All paths are relative to your workspace.",
  input: z.strictObject({
    path: z.string(),
    offset: z.int().min(1).optional().describe("first line"),
    limit: z.int().min(1).optional().describe("lines, default 2000"),
  }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "reads",
  level: "r",
  needs: "nothing",
  // A long document takes seconds.
  timeoutMs: 40_000,
  words: {
    doing: "Reading",
    done: "Read",
    object: "path",
    title: "Read files",
    summary: "Reads text files and documents of its workspace.",
    group: "files",
    risks: ["strangers"],
  },
});
