/** Looks at a picture of the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const image = declareTool({
  name: "image",
  description: "Look at a picture file.",
  input: z.strictObject({ path: z.string() }),
  effect: "pure",
  // Words in a picture are words that somebody wrote.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  level: "r",
  // Only a model that sees has a use for it.
  needs: "person",
  offered: "found",
  timeoutMs: 10_000,
});
