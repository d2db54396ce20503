/**
 * Declares the tool that finds tools which are not offered from the start, because each costs
 * tokens in every turn.
 */
import { z } from "zod";
import { declareTool } from "./tool.ts";

/** Start of an answer's line, before the tool's name. */
export const FOUND = "- ";

export const findTools = declareTool({
  name: "find_tools",
  description: "Find more tools, by words on what you want to do.",
  input: z.strictObject({ query: z.string().max(400) }),
  effect: "pure",
  traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
  sinks: [],
  revealsTools: true,
  runs: "host",
  workspace: "none",
  level: "r",
  needs: "nothing",
  timeoutMs: 10_000,
  words: {
    doing: "Looking for a tool",
    done: "Looked for a tool",
    detail: "query",
    title: "Find tools",
    summary: "Looks up the tools that it rarely needs. Without it, every run lists all of them and costs more.",
    group: "house",
    risks: [],
  },
});

/** Returns the tool names in an answer. */
export const parseFoundNames = (answer: string): readonly string[] =>
  answer
    .split("\n")
    .flatMap((line) => (line.startsWith(FOUND) ? (/^[\w-]+/u.exec(line.slice(FOUND.length)) ?? []) : []));
