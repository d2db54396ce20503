/** Declares the tool that manages commands that `shell` left running. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const processes = declareTool({
  name: "processes",
  description: "List commands that `shell` left running, read a command's new output, or stop it.",
  input: z.strictObject({ id: z.int().positive().optional(), stop: z.boolean().optional() }),
  // Output that was read once cannot be read again.
  effect: "plain",
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "anything",
  level: "w",
  needs: "walls",
  discovery: "onDemand",
  timeoutMs: 30_000,
  words: {
    doing: "Checking commands",
    done: "Checked commands",
    title: "Watch commands",
    summary: "Lists and stops commands that still run.",
    group: "files",
    risks: ["private", "strangers"],
  },
});
