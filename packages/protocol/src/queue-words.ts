import type { QueueMode } from "./record.ts";

/** What becomes of messages that come while an agent is at work, in a sentence for people. */
export const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "It reads them at its next step, and answers them together with what it is at.",
  followup: "It answers each by itself, one after the other.",
  collect: "When it is done, it answers all that came meanwhile at once.",
  interrupt: "It stops, and begins anew with all of them in view.",
};
