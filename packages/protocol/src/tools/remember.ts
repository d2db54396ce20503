/** Declares the tool that stores a fact in the agent's memory, with its date and source. */
import { z } from "zod";
import { MAX_FACT_LENGTH } from "../agents/memory.ts";
import { declareTool } from "./tool.ts";

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
});
