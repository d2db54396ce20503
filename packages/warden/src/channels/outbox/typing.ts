/** Shows a typing indicator in a conversation while its message is being answered. Best effort. */
import type { Store } from "../../kernel/index.ts";
import type { Clock, EventId } from "@hearth/protocol";
import type { Channels } from "../house-channels.ts";

export interface Typing {
  /**
   * Shows the indicator until `signal` aborts, if the message came from a channel. Never rejects.
   */
  show(message: EventId, signal: AbortSignal): Promise<void>;
}

/** Interval of the repetitions. Platforms show the indicator for five seconds or more. */
const REPEAT_INTERVAL_MS = 4500;
/** Maximum number of repetitions. After these, the person is probably no longer watching. */
const MAX_REPETITIONS = 100;

export const createTyping = (options: {
  readonly clock: Clock;
  readonly store: Pick<Store, "select">;
  readonly channels: Channels;
}): Typing => {
  const { clock, store, channels } = options;
  return {
    async show(message, signal) {
      if (channels.list().length === 0) return;
      try {
        const [row] = await store.select({ table: "inbound", where: { event: message }, limit: 1 });
        const channel = row === undefined ? undefined : await channels.open(row.channel);
        if (row === undefined || channel === undefined) return;
        for (let times = 0; times < MAX_REPETITIONS && !signal.aborted; times += 1) {
          await channel.typing(row.conversation, signal);
          await clock.sleep(REPEAT_INTERVAL_MS, signal);
        }
      } catch {
        // Failures are ignored, because a real problem also shows when the answer is sent.
      }
    },
  };
};
