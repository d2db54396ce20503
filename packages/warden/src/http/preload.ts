/** What no start waits for and the first request or activation needs: read when the house has started, a part at a time. */
import type { Clock } from "@hearth/protocol";

export interface Preload {
  /** Reads the parts in their order and lets whatever waits go first, until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/** No part rejects. */
export const createPreload = (clock: Pick<Clock, "turn">, parts: readonly (() => Promise<void>)[]): Preload => ({
  async run(signal) {
    for (const read of parts) {
      await clock.turn();
      if (signal.aborted) return;
      await read();
    }
  },
});
