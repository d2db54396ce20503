/** Declares the tool that searches workspace files by line. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

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
});
