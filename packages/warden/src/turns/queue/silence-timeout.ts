/**
 * Notices that an inmate misses its deadline to speak. Time counts in slices: a machine that was suspended took one of them, and the inmate
 * has the others left.
 */
import type { Clock } from "@hearth/protocol";

export interface SilenceTimeout extends Disposable {
  /** It is the inmate's turn, for so long. */
  listen(timeMs: number): void;
  /** It has spoken, and waits. */
  hush(): void;
}

const SLICES = 4;

/** Calls `tell` once, when the inmate's time is over or a slice later. A slice is a quarter of `graceMs`. */
export const createSilenceTimeout = (options: {
  readonly clock: Pick<Clock, "sleep">;
  readonly graceMs: number;
  readonly tell: () => void;
}): SilenceTimeout => {
  const { clock, graceMs, tell } = options;
  const sliceMs = graceMs / SLICES;
  const over = new AbortController();
  let leftMs = Infinity;

  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(sliceMs, over.signal);
      if (over.signal.aborted) return;
      leftMs -= sliceMs;
      if (leftMs > 0) continue;
      tell();
      return;
    }
  };
  watch().catch(tell);

  return {
    listen(timeMs) {
      // The slice that has begun may be over at once.
      leftMs = timeMs + sliceMs;
    },
    hush() {
      leftMs = Infinity;
    },
    [Symbol.dispose]: () => over.abort(),
  };
};
