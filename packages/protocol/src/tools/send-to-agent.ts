/** Declares the tool that leaves a note for another agent. */
import { z } from "zod";
import { MAX_INBOX_TEXT } from "../agents/inbox.ts";
import { declareTool } from "./tool.ts";

export const sendToAgent = declareTool({
  name: "send_to_agent",
  description: "Leave a note for another agent to read when it wakes next.",
  input: z.strictObject({ agent: z.string().min(1).max(200), text: z.string().min(1).max(MAX_INBOX_TEXT) }),
  // The note's id is derived from the step.
  effect: "keyed",
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["agent"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "peer",
  timeoutMs: 10_000,
});
