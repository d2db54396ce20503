/** Runs a command. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Without a word from the model, a command has this long. */
export const DEFAULT_SHELL_SECONDS = 60;
const MAX_SHELL_SECONDS = 600;

export const shell = declareTool({
  name: "shell",
  description: "Run a command with /bin/sh in your workspace. No input, no terminal; nothing keeps running afterwards.",
  input: z.strictObject({
    command: z.string().min(1),
    timeoutSeconds: z.int().min(1).max(MAX_SHELL_SECONDS).optional().describe("default 60, at most 600"),
  }),
  effect: "plain",
  // Declared for a cell without walls: there it reaches whatever the daemon's user reaches.
  traits: { readsUntrusted: true, readsPrivate: true, acts: true },
  sinks: ["command"],
  runs: "cell",
  needs: "person",
  timeoutMs: MAX_SHELL_SECONDS * 1000,
});
