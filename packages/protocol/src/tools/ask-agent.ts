/** Declares the tool that asks another agent and waits for its answer. */
import { z } from "zod";
import { MAX_INBOX_TEXT } from "../agents/inbox.ts";
import { declareTool } from "./tool.ts";

/** Time limit of an answer if the model sets none. */
export const DEFAULT_ASK_SECONDS = 60;
const MAX_ASK_SECONDS = 300;

export const askAgent = declareTool({
  name: "ask_agent",
  description: "Ask another agent and wait for its answer. It knows nothing of this room: say all it needs.",
  input: z.strictObject({
    agent: z.string().min(1).max(200),
    question: z.string().min(1).max(MAX_INBOX_TEXT),
    timeoutSeconds: z.int().min(1).max(MAX_ASK_SECONDS).optional().describe("default 60"),
  }),
  // The asked agent's activation has an id derived from the step.
  effect: "keyed",
  // The other agent may have read anything that it has access to.
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["agent"],
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "peer",
  timeoutMs: MAX_ASK_SECONDS * 1000,
});
