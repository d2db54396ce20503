/** Loads, after the start and one part at a time, what the first request or activation needs. */
import type { Clock } from "@hearth/protocol";

export interface Preload {
  /**
   * Loads the parts in order, and lets waiting work go first, until `signal` aborts. Never rejects.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Parts must not reject. */
export const createPreload = (clock: Pick<Clock, "turn">, parts: readonly (() => Promise<void>)[]): Preload => ({
  async run(signal) {
    for (const load of parts) {
      await clock.turn();
      if (signal.aborted) return;
      await load();
    }
  },
});
