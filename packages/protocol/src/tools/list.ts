/** Lists one folder of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const list = declareTool({
  name: "list",
  description: "List a folder: names, `/` after folders, sizes in bytes.",
  input: z.strictObject({ path: z.string().optional() }),
  effect: "pure",
  traits: { readsUntrusted: true, readsPrivate: false, acts: false },
  sinks: [],
  runs: "cell",
  needs: "nothing",
  timeoutMs: 10_000,
});
