/** Brings the workspace back while steps run, so that people see what a long one has done and a crash costs little. */
import type { Clock } from "@hearth/protocol";

export interface KeepWhile {
  /** How many steps run. */
  running(count: number): void;
  /** Whether one ever did. */
  begun(): boolean;
}

const KEEP_EVERY_MS = 1000;

/** `keep` never rejects. */
export const createKeepWhile = (clock: Clock, keep: () => Promise<void>): KeepWhile => {
  let begun = false;
  let over: AbortController | undefined;
  const watch = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(KEEP_EVERY_MS, signal);
      if (signal.aborted) return;
      await keep();
    }
  };
  return {
    running(count) {
      if (count === 0) {
        over?.abort();
        over = undefined;
        return;
      }
      begun = true;
      if (over !== undefined) return;
      over = new AbortController();
      watch(over.signal).catch(() => {
        // The next step starts another watch.
        over = undefined;
      });
    },
    begun: () => begun,
  };
};
