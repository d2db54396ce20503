/**
 * Declares the tools that address other agents. One file, because they are related and every start
 * reads each file.
 */
import { z } from "zod";
import { MAX_INBOX_TEXT } from "../agents/inbox.ts";
import { declareTool } from "./tool.ts";

/** Leaves a note for another agent. */
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
  words: {
    doing: "Sending a message",
    done: "Sent a message",
    detail: "agent",
    title: "Leave notes",
    summary: "Leaves a note that another agent reads later.",
    group: "agents",
    risks: ["people"],
  },
});

/** Time limit of an answer if the model sets none. */
export const DEFAULT_ASK_SECONDS = 60;
const MAX_ASK_SECONDS = 300;

/** Asks another agent and waits for its answer. */
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
  words: {
    doing: "Asking",
    done: "Asked",
    object: "agent",
    title: "Ask agents",
    summary: "Asks another agent and waits for its answer.",
    group: "agents",
    risks: ["private", "strangers", "people", "cost"],
  },
});

/** Delegates work to a separate turn with fewer tools and an empty session. */
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
  words: {
    doing: "Delegating work",
    done: "Delegated work",
    detail: "task",
    title: "Delegate",
    summary: "Has work done in a separate run, which costs tokens too.",
    group: "agents",
    risks: ["private", "strangers", "cost"],
  },
});
