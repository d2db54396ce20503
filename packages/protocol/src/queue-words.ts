import type { QueueMode } from "./record.ts";

/** What happens to messages that arrive during a run of an agent, in one sentence. */
export const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "The current run reads them at its next step, and answers everything together.",
  followup: "Each message gets its own run, one after the other.",
  collect: "After the current run, one run answers all of them together.",
  interrupt: "The current run stops, and a new run reads all messages.",
};
