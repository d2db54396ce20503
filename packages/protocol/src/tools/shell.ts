/** Declares the tool that runs a shell command. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Time limit of a command if the model sets none. */
export const DEFAULT_SHELL_SECONDS = 60;
const MAX_SHELL_SECONDS = 600;

export const shell = declareTool({
  name: "shell",
  description: "Run a command with /bin/sh where the last one left off. No input, no terminal.",
  input: z.strictObject({
    command: z.string().min(1),
    timeoutSeconds: z.int().min(1).max(MAX_SHELL_SECONDS).optional().describe("default 60"),
    background: z.boolean().optional().describe("see `processes`"),
  }),
  effect: "plain",
  // Declared for a cell without isolation, where a command reaches everything that the daemon's
  // user can.
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["command"],
  runs: "cell",
  workspace: "anything",
  leavesRunning: "background",
  level: "w",
  needs: "walls",
  timeoutMs: MAX_SHELL_SECONDS * 1000,
  defaultTimeoutMs: DEFAULT_SHELL_SECONDS * 1000,
  words: {
    doing: "Running a command",
    done: "Ran a command",
    detail: "command",
    command: "command",
    title: "Run commands",
    summary: "Runs commands in its sandbox, which reach the hosts below.",
    group: "files",
    risks: ["private", "strangers", "files", "leaves"],
  },
});
