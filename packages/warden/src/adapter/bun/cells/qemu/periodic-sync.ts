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

const COPY_INTERVAL_MS = 1000;

/** `copyBack` never rejects. */
export const createPeriodicSync = (clock: Clock, copyBack: () => Promise<void>): PeriodicSync => {
  let hasRun = false;
  let abort: AbortController | undefined;
  const copyRegularly = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(COPY_INTERVAL_MS, signal);
      if (signal.aborted) return;
      await copyBack();
    }
  };
  return {
    setRunningSteps(count) {
      if (count === 0) {
        abort?.abort();
        abort = undefined;
        return;
      }
      hasRun = true;
      if (abort !== undefined) return;
      abort = new AbortController();
      copyRegularly(abort.signal).catch(() => {
        // The next step starts the copying again.
        abort = undefined;
      });
    },
    hasRunStep: () => hasRun,
  };
};
