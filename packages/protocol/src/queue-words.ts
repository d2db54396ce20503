import type { QueueMode } from "./record.ts";

/** What happens to messages that arrive while an agent works, as a sentence for people. */
export const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "It reads them at its next step and answers them in the same reply.",
  followup: "It answers them one after the other.",
  collect: "When it is done, it answers all of them at once.",
  interrupt: "It stops and starts again with all of them.",
};
