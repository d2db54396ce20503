/** Work that must be over in time: a signal that also aborts when the time is up. */
import type { Clock } from "@hearth/protocol";

export interface Deadline extends Disposable {
  /** Aborts when the time is up, when whoever asked has gone, and at the end of the block that holds this. */
  readonly signal: AbortSignal;
  /** Whether it was the time that ended it. */
  isOver(): boolean;
}

export const createDeadline = (options: {
  readonly clock: Clock;
  readonly ms: number;
  /** Whoever asked. */
  readonly signal: AbortSignal;
}): Deadline => {
  const { clock, ms, signal } = options;
  const closing = new AbortController();
  const close = (): void => closing.abort();
  let over = false;
  const watch = async (): Promise<void> => {
    await clock.sleep(ms, closing.signal);
    if (closing.signal.aborted) return;
    over = true;
    close();
  };
  if (signal.aborted) close();
  else {
    signal.addEventListener("abort", close, { signal: closing.signal });
    watch().catch(close);
  }
  return {
    signal: closing.signal,
    isOver: () => over,
    [Symbol.dispose]: close,
  };
};
