/** Waits for abort signals, and creates controllers that follow them. */

/** Resolves when the signal aborts, or at once if it has aborted already. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Creates the controller, which aborts when `signal` does. It replaces `AbortSignal.any` where a
 * wait lasts as long as the house. JavaScriptCore never collects a signal of `any` that has
 * listeners while one of its sources lives, and so keeps all objects that the listeners refer to.
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
