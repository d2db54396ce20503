/**
 * Declares the tools for the agent's memory. They share one file, because each file lengthens every start.
 */
import { z } from "zod";
import { MAX_FACT_LENGTH, MAX_MEMORY_QUERY, MAX_RECALLED } from "../agents/memory.ts";
import { MAX_SOURCE_LENGTH } from "../policy/label.ts";
import { declareTool } from "./tool.ts";

/** Stores a fact, with its date and source. */
export const remember = declareTool({
  name: "remember",
  description: "Keep a fact for later.",
  input: z.strictObject({
    text: z.string().min(1).max(MAX_FACT_LENGTH),
    replaces: z.string().min(1).max(MAX_FACT_LENGTH).optional().describe("outdated fact or its place"),
  }),
  // Idempotent: the line is dated by the turn, and an equal line is stored once.
  effect: "keyed",
  // The fact stays in the house, where each change can be undone. Lines keep the label of the turn
  // that wrote them.
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "nothing",
  timeoutMs: 30_000,
  words: {
    doing: "Saving",
    done: "Saved",
    object: "text",
    title: "Remember",
    summary: "Keeps facts for later.",
    group: "memory",
    risks: ["files"],
  },
});

/** Searches by words and meaning. */
export const recall = declareTool({
  name: "recall",
  description: "Search your memory.",
  input: z.strictObject({
    query: z.string().min(1).max(MAX_MEMORY_QUERY),
    limit: z.int().min(1).max(MAX_RECALLED).optional(),
  }),
  effect: "pure",
  // Untrusted lines are hidden in the prompt but found here, with their label.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  returnsBrainText: true,
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 30_000,
  words: {
    doing: "Searching memory for",
    done: "Searched memory for",
    object: "query",
    title: "Search memory",
    summary: "Searches what it remembers.",
    group: "memory",
    risks: ["private", "strangers"],
  },
});

/** Erases everything from a source. */
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
  words: {
    doing: "Forgetting",
    done: "Forgot",
    object: "source",
    title: "Forget",
    summary: "Erases a message, file or note from its memory.",
    group: "memory",
    risks: ["files"],
  },
});
