/**
 * Declares the tools for files of the agent's brain. One file, because they are related and every
 * start reads each file.
 */
import { z } from "zod";
import { MAX_BRAIN_TEXT_BYTES } from "../agents/brain.ts";
import { declareTool, MAX_CONTENT_BYTES } from "./tool.ts";

export const readBrain = declareTool({
  name: "read_brain",
  description: "Read a file of your brain.",
  input: z.strictObject({
    path: z.string().min(1).max(1024),
    offset: z.int().min(1).optional().describe("first line"),
  }),
  effect: "pure",
  // Untrusted lines are hidden in the prompt but shown here, with their label.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  returnsBrainText: true,
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
  words: {
    doing: "Looking up",
    done: "Looked up",
    object: "path",
    title: "Read brain files",
    summary: "Reads its own notes and instructions.",
    group: "memory",
    risks: ["private", "strangers"],
  },
});

export const writeBrain = declareTool({
  name: "write_brain",
  description: "Change a file of your brain, e.g. MEMORY.md, USER.md.",
  input: z.strictObject({
    path: z.string().min(1).max(1024),
    mode: z.enum(["append", "replace", "remove"]),
    text: z.string().min(1).max(MAX_BRAIN_TEXT_BYTES).optional(),
  }),
  // The file is written before the step's end is stored, so a second run would append the text
  // again.
  effect: "plain",
  // The change stays in the house, where it can be undone. Lines keep the label of the turn that
  // wrote them. In a tainted turn, a change to a file that defines the agent waits for a person.
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "nothing",
  timeoutMs: 30_000,
  maxArgumentBytes: MAX_CONTENT_BYTES,
  words: {
    doing: "Saving",
    done: "Saved",
    object: "path",
    title: "Change brain files",
    summary: "Changes its own notes.",
    group: "memory",
    risks: ["files"],
  },
});
