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
  const controller = new AbortController();
  const close = (): void => controller.abort();
  let isExpired = false;
  const watch = async (): Promise<void> => {
    await clock.sleep(ms, controller.signal);
    if (controller.signal.aborted) return;
    isExpired = true;
    close();
  };
  if (signal.aborted) close();
  else {
    signal.addEventListener("abort", close, { signal: controller.signal });
    watch().catch(close);
  }
  return {
    signal: controller.signal,
    hasExpired: () => isExpired,
    [Symbol.dispose]: close,
  };
};
