/** Declares the tool that runs git in the workspace. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const git = declareTool({
  name: "git",
  description: "Run git where `shell` left off.",
  input: z.strictObject({ args: z.array(z.string().max(10_000)).min(1).max(200) }),
  effect: "plain",
  // The traits of `shell`. A network request from the cell is a separate effect.
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["args"],
  runs: "cell",
  workspace: "anything",
  level: "w",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 300_000,
  words: {
    doing: "Running git",
    done: "Ran git",
    title: "Use git",
    summary: "Runs git in its workspace.",
    group: "files",
    risks: ["private", "strangers", "files", "leaves"],
  },
});
