/** Declares the tool that posts a message to another room. */
import { z } from "zod";
import { MAX_MESSAGE_LENGTH } from "../events/event.ts";
import { declareTool } from "./tool.ts";

export const sendMessage = declareTool({
  name: "send_message",
  description: "Say something in another room. Here you just answer.",
  input: z.strictObject({ room: z.string().min(1).max(200), text: z.string().min(1).max(MAX_MESSAGE_LENGTH) }),
  // The message's id is derived from the step.
  effect: "keyed",
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["room"],
  speaksIn: "room",
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
});
