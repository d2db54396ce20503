/** Declares the tool that shows the model an image from the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const image = declareTool({
  name: "image",
  description: "Look at a picture file.",
  input: z.strictObject({ path: z.string() }),
  effect: "pure",
  // An image can contain text that a stranger wrote.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "reads",
  level: "r",
  // Useful only for models with vision.
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
});
