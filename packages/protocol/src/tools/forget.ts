/** Declares the tool that erases everything from a source from the agent's memory. */
import { z } from "zod";
import { MAX_SOURCE_LENGTH } from "../policy/label.ts";
import { declareTool } from "./tool.ts";

export const forget = declareTool({
  name: "forget",
  description:
    "Forget what came from a source, for good: a place that recall shows, a file, a message's id, a URL or a host.",
  input: z.strictObject({ source: z.string().min(1).max(MAX_SOURCE_LENGTH) }),
  // Repeating it has no further effect.
  effect: "keyed",
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: true },
  sinks: ["source"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 60_000,
});
