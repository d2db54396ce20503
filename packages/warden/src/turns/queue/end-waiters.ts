/** Lets callers wait for activations to end. */
import { hasEnded, type Row } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface EndWaiters {
  /** Resolves with the row when the activation is over, or when `signal` aborts. */
  waitForEnd(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** Wakes the callers that wait for this activation, whose end is durable. */
  notifyEnded(id: ActivationId): void;
}

export const createEndWaiters = (find: (id: ActivationId) => Promise<Row<"activations">>): EndWaiters => {
  const waiters = new Map<ActivationId, Set<() => void>>();
  return {
    async waitForEnd(id, signal) {
      const ended = Promise.withResolvers<void>();
      const callbacks = waiters.get(id) ?? new Set();
      waiters.set(id, callbacks.add(ended.resolve));
      const onAbort = (): void => ended.resolve();
      signal.addEventListener("abort", onAbort);
      try {
        // Reads the row after registering, so that an end between the two is not missed.
        const row = await find(id);
        if (!hasEnded(row.state) && !signal.aborted) await ended.promise;
        return await find(id);
      } finally {
        signal.removeEventListener("abort", onAbort);
        callbacks.delete(ended.resolve);
        if (callbacks.size === 0 && waiters.get(id) === callbacks) waiters.delete(id);
      }
    },
    notifyEnded(id) {
      for (const wake of waiters.get(id) ?? []) wake();
      waiters.delete(id);
    },
  };
};
