/** Waits for abort signals, and creates controllers that follow them. */

/** Resolves when the signal aborts, or at once if it has aborted already. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Creates a controller that aborts when `signal` does. Use it instead of `AbortSignal.any` if
 * `signal` lives as long as the house. JavaScriptCore keeps a signal of `any` that has listeners,
 * and the objects of these listeners, in memory while one of its sources lives.
 */
export const createLinkedAbort = (signal: AbortSignal): AbortController & Disposable => {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return Object.assign(controller, {
    [Symbol.dispose]: () => signal.removeEventListener("abort", abort),
  });
};
