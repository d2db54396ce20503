/**
 * Notices that an inmate says nothing although it is its turn to. Time counts in slices: a machine that was suspended took one of them, and
 * whoever slept with it has the others left.
 */
import type { Clock } from "@hearth/protocol";

export interface Silence extends Disposable {
  /** It is its turn, with `moreMs` for what it was told to do. */
  listen(moreMs: number): void;
  /** It has spoken, and waits. */
  hush(): void;
}

const SLICES = 4;

/** `tell` is called once, at the end of a silence of `silenceMs`, or a slice later. */
export const createSilence = (options: {
  readonly clock: Pick<Clock, "sleep">;
  readonly silenceMs: number;
  readonly tell: () => void;
}): Silence => {
  const { clock, silenceMs, tell } = options;
  const sliceMs = silenceMs / SLICES;
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
  void watch();

  return {
    listen(moreMs) {
      // The slice that has begun may be over at once.
      leftMs = silenceMs + moreMs + sliceMs;
    },
    hush() {
      leftMs = Infinity;
    },
    [Symbol.dispose]: () => over.abort(),
  };
};
