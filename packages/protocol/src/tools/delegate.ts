/**
 * Declares the tool that delegates work to a separate turn with fewer tools and an empty session.
 */
import { z } from "zod";
import { MAX_INBOX_TEXT } from "../agents/inbox.ts";
import { declareTool } from "./tool.ts";

export const delegate = declareTool({
  name: "delegate",
  description: "Have work done in a separate turn that sees only `task`. You get its final text.",
  input: z.strictObject({
    task: z.string().min(1).max(MAX_INBOX_TEXT),
    agent: z.string().min(1).max(200).optional().describe("default yourself"),
    tools: z.array(z.string().max(64)).max(100).optional().describe("default all"),
    maxToolCalls: z.int().min(0).max(1000).optional().describe("default all left"),
  }),
  // The turn's id is derived from the step.
  effect: "keyed",
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["agent"],
  runs: "host",
  workspace: "none",
  level: "w",
  // It multiplies what one message can cost.
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 600_000,
});
