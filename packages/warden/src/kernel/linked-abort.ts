/** Creates an abort controller that follows a signal until it is disposed. */

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
