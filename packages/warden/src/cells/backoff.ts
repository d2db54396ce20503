/** Pauses before what went wrong is tried anew: twice as long each time, up to a limit. Forgotten once it has gone well for a while. */
import type { Clock } from "@hearth/protocol";

export interface Backoff {
  /** It went wrong, after it had gone well for so long. */
  failed(name: string, wellMs: number): void;
  isDue(name: string): boolean;
  /** Resolves when it may be tried, or when `signal` aborts. */
  untilDue(name: string, signal: AbortSignal): Promise<void>;
}

interface Failures {
  readonly pauseMs: number;
  readonly until: number;
}

export const FIRST_PAUSE_MS = 200;
export const LONGEST_PAUSE_MS = 10_000;
/** What went well for so long has not failed before. */
const STEADY_MS = 60_000;

export const createBackoff = (clock: Pick<Clock, "monotonic" | "sleep">): Backoff => {
  const failures = new Map<string, Failures>();
  const leftMs = (name: string): number => (failures.get(name)?.until ?? 0) - clock.monotonic();

  /** So that what is never tried again is not kept. */
  const forgetOld = (now: number): void => {
    for (const [name, { until }] of failures) if (now - until > STEADY_MS) failures.delete(name);
  };

  return {
    failed(name, wellMs) {
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
