/** A `Clock` that reads the machine's clocks. */
import type { Clock } from "@hearth/protocol";

/** The maximum delay of a platform timer. A longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const createBunClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    let remainingMs = ms;
    do {
      if (signal?.aborted === true) return;
      await timer(Math.min(remainingMs, MAX_TIMER_MS), signal);
      remainingMs -= MAX_TIMER_MS;
    } while (remainingMs > 0);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
});

const timer = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timeout);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timeout = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });
