/** Declares the tool that lists one folder of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

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
});
