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

const SLICES = 4;

/** Calls `onSilence` once, when `timeMs` has passed or up to a quarter of `graceMs` later. */
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
    start(timeMs) {
      // The current slice may end at once, so one slice is added.
      leftMs = timeMs + sliceMs;
    },
    stop() {
      leftMs = Infinity;
    },
    [Symbol.dispose]: () => controller.abort(),
  };
};
