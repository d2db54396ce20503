/**
 * Notices when an inmate misses its deadline to send a frame. Time counts in slices: a suspension
 * of the machine uses up one slice, and the inmate keeps the others.
 */
import type { Clock } from "@hearth/protocol";

export interface SilenceTimeout extends Disposable {
  /** Starts the deadline: the inmate must send a frame within `timeMs`. */
  listen(timeMs: number): void;
  /** Stops the deadline: the inmate has sent a frame. */
  hush(): void;
}

const SLICES = 4;

/**
 * Calls `onSilence` once, at the deadline or up to one slice later. A slice is a quarter of
 * `graceMs`.
 */
export const createSilenceTimeout = (options: {
  readonly clock: Pick<Clock, "sleep">;
  readonly graceMs: number;
  readonly onSilence: () => void;
}): SilenceTimeout => {
  const { clock, graceMs, onSilence } = options;
  const sliceMs = graceMs / SLICES;
  const controller = new AbortController();
  let leftMs = Infinity;

  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sliceMs, controller.signal);
      if (controller.signal.aborted) return;
      leftMs -= sliceMs;
      if (leftMs > 0) continue;
      onSilence();
      return;
    }
  };
  watch().catch(onSilence);

  return {
    listen(timeMs) {
      // The current slice may end at once, so it does not count.
      leftMs = timeMs + sliceMs;
    },
    hush() {
      leftMs = Infinity;
    },
    [Symbol.dispose]: () => controller.abort(),
  };
};
