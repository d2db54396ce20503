/**
 * Detects that an inmate missed its deadline to send a frame. The time is measured in slices: a
 * suspension of the machine uses up at most the current slice.
 */
import type { Clock } from "@hearth/protocol";

export interface SilenceTimeout extends Disposable {
  /** Starts the timeout: the inmate must send a frame within `timeMs`. */
  start(timeMs: number): void;
  /** Stops the timeout, because the inmate has sent a frame. */
  stop(): void;
}

const SLICE_COUNT = 4;

/** Calls `onSilence` once, when `timeMs` has passed or up to a quarter of `graceMs` later. */
export const createSilenceTimeout = (options: {
  readonly clock: Pick<Clock, "sleep">;
  readonly graceMs: number;
  readonly onSilence: () => void;
}): SilenceTimeout => {
  const { clock, graceMs, onSilence } = options;
  const sliceMs = graceMs / SLICE_COUNT;
  const controller = new AbortController();
  let remainingMs = Infinity;

  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sliceMs, controller.signal);
      if (controller.signal.aborted) return;
      remainingMs -= sliceMs;
      if (remainingMs > 0) continue;
      onSilence();
      return;
    }
  };
  watch().catch(onSilence);

  return {
    start(timeMs) {
      // The current slice may end at once, so one slice is added.
      remainingMs = timeMs + sliceMs;
    },
    stop() {
      remainingMs = Infinity;
    },
    [Symbol.dispose]: () => controller.abort(),
  };
};
