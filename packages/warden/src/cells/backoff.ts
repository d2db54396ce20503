/**
 * Exponential backoff by name, up to a maximum. A failure is forgotten after a period without
 * another one.
 */
import type { Clock } from "@hearth/protocol";

export interface Backoff {
  /** Records a failure that came after `wellMs` without a failure. */
  recordFailure(name: string, wellMs: number): void;
  isDue(name: string): boolean;
  /** Resolves when the next attempt is due or `signal` aborts. */
  untilDue(name: string, signal: AbortSignal): Promise<void>;
}

interface Failures {
  readonly pauseMs: number;
  readonly until: number;
}

export const FIRST_PAUSE_MS = 200;
export const LONGEST_PAUSE_MS = 10_000;
/** Time without a failure that resets the backoff. */
const STEADY_MS = 60_000;

export const createBackoff = (clock: Pick<Clock, "monotonic" | "sleep">): Backoff => {
  const failures = new Map<string, Failures>();
  const leftMs = (name: string): number => (failures.get(name)?.until ?? 0) - clock.monotonic();

  /** Removes names that are not tried again. */
  const forgetOld = (now: number): void => {
    for (const [name, { until }] of failures) if (now - until > STEADY_MS) failures.delete(name);
  };

  return {
    recordFailure(name, wellMs) {
      const now = clock.monotonic();
      forgetOld(now);
      const before = wellMs < STEADY_MS ? failures.get(name) : undefined;
      const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS);
      failures.set(name, { pauseMs, until: now + pauseMs });
    },
    isDue: (name) => leftMs(name) <= 0,
    async untilDue(name, signal) {
      for (let left = leftMs(name); left > 0 && !signal.aborted; left = leftMs(name)) await clock.sleep(left, signal);
    },
  };
};
