/** Finds lines in files of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const grep = declareTool({
  name: "grep",
  description: "Search file contents, line by line, with a regular expression (no lookaround or backreferences).",
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe("file or folder to search"),
    glob: z.string().min(1).optional().describe("only files like `*.ts`"),
    ignoreCase: z.boolean().optional(),
  }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false },
  sinks: [],
  runs: "cell",
  needs: "nothing",
  timeoutMs: 20_000,
});
