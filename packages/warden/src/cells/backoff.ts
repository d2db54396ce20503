/**
 * Exponential backoff by name, up to a maximum. A failure is forgotten after a period without
 * another one.
 */
import type { Clock } from "@hearth/protocol";

export interface Backoff {
  /**
   * Records a failure. `failureFreeMs` is the time since the previous failure or the start. A long
   * time resets the backoff.
   */
  recordFailure(name: string, failureFreeMs: number): void;
  isDue(name: string): boolean;
  /** Resolves when the next attempt is due or `signal` aborts. */
  untilDue(name: string, signal: AbortSignal): Promise<void>;
}

interface Failures {
  readonly pauseMs: number;
  readonly dueAt: number;
}

export const FIRST_PAUSE_MS = 200;
export const LONGEST_PAUSE_MS = 10_000;
/** Time without a failure that resets the backoff. */
const RESET_AFTER_MS = 60_000;

export const createBackoff = (clock: Pick<Clock, "monotonic" | "sleep">): Backoff => {
  const failures = new Map<string, Failures>();
  const remainingMs = (name: string): number => (failures.get(name)?.dueAt ?? 0) - clock.monotonic();

  /** Removes names that are not tried again. */
  const forgetOld = (now: number): void => {
    for (const [name, { dueAt }] of failures) if (now - dueAt > RESET_AFTER_MS) failures.delete(name);
  };

  return {
    recordFailure(name, failureFreeMs) {
      const now = clock.monotonic();
      forgetOld(now);
      const previous = failureFreeMs < RESET_AFTER_MS ? failures.get(name) : undefined;
      const pauseMs = previous === undefined ? FIRST_PAUSE_MS : Math.min(previous.pauseMs * 2, LONGEST_PAUSE_MS);
      failures.set(name, { pauseMs, dueAt: now + pauseMs });
    },
    isDue: (name) => remainingMs(name) <= 0,
    async untilDue(name, signal) {
      for (let pauseMs = remainingMs(name); pauseMs > 0 && !signal.aborted; pauseMs = remainingMs(name))
        await clock.sleep(pauseMs, signal);
    },
  };
};
