/**
 * Declares the tools that search the workspace: one folder, by name and by line. One file, because
 * they differ little and every start reads each file.
 */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Lists one folder. */
export const list = declareTool({
  name: "list",
  description: "List a folder, with sizes in bytes.",
  input: z.strictObject({ path: z.string().optional() }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "lists",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
  words: {
    doing: "Listing files",
    done: "Listed files",
    detail: "path",
    title: "List folders",
    summary: "Lists folders of its workspace.",
    group: "files",
    risks: ["strangers"],
  },
});

/** Finds files by name. */
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
  words: {
    doing: "Looking for files",
    done: "Looked for files",
    detail: "pattern",
    title: "Find files",
    summary: "Finds files of its workspace by name.",
    group: "files",
    risks: ["strangers"],
  },
});

/** Searches files by line. */
export const grep = declareTool({
  name: "grep",
  description: "Search files by line with a regular expression (no lookaround or backreference).",
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe("file or folder"),
    glob: z.string().min(1).optional().describe("only files like `*.ts`"),
    ignoreCase: z.boolean().optional(),
  }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "lists",
  level: "r",
  needs: "nothing",
  timeoutMs: 20_000,
  words: {
    doing: "Searching for",
    done: "Searched for",
    object: "pattern",
    title: "Search in files",
    summary: "Searches the text of files in its workspace.",
    group: "files",
    risks: ["strangers"],
  },
});
