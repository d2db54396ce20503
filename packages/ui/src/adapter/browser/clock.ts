/** The clock of the browser. */
import type { Clock } from "@hearth/protocol";

export const createBrowserClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener("abort", wake);
    }),
  turn: () => new Promise((resolve) => setTimeout(resolve)),
});
