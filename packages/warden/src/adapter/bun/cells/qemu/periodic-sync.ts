/**
 * Copies the workspace back regularly while steps run, so that people see the progress of a long
 * step and a crash loses little.
 */
import type { Clock } from "@hearth/protocol";

export interface PeriodicSync {
  /** Sets how many steps run. */
  setRunningSteps(count: number): void;
  /** Whether a step has ever run. */
  hasRunStep(): boolean;
}

const KEEP_EVERY_MS = 1000;

/** `keep` never rejects. */
export const createPeriodicSync = (clock: Clock, keep: () => Promise<void>): PeriodicSync => {
  let begun = false;
  let abort: AbortController | undefined;
  const watch = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(KEEP_EVERY_MS, signal);
      if (signal.aborted) return;
      await keep();
    }
  };
  return {
    setRunningSteps(count) {
      if (count === 0) {
        abort?.abort();
        abort = undefined;
        return;
      }
      begun = true;
      if (abort !== undefined) return;
      abort = new AbortController();
      watch(abort.signal).catch(() => {
        // The next step starts another watch.
        abort = undefined;
      });
    },
    hasRunStep: () => begun,
  };
};
