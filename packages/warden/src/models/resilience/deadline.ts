/** A deadline: a signal that also aborts after a time limit. */
import type { Clock } from "@hearth/protocol";

export interface Deadline extends Disposable {
  /**
   * Aborts at the deadline, with the caller's signal, and when the deadline is disposed.
   */
  readonly signal: AbortSignal;
  /** Whether the time limit aborted the signal. */
  hasExpired(): boolean;
}

export const createDeadline = (options: {
  readonly clock: Clock;
  readonly ms: number;
  /** The caller's signal. */
  readonly signal: AbortSignal;
}): Deadline => {
  const { clock, ms, signal } = options;
  const closing = new AbortController();
  const close = (): void => closing.abort();
  let isOver = false;
  const watch = async (): Promise<void> => {
    await clock.sleep(ms, closing.signal);
    if (closing.signal.aborted) return;
    isOver = true;
    close();
  };
  if (signal.aborted) close();
  else {
    signal.addEventListener("abort", close, { signal: closing.signal });
    watch().catch(close);
  }
  return {
    signal: closing.signal,
    hasExpired: () => isOver,
    [Symbol.dispose]: close,
  };
};
