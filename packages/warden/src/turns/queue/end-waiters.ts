/** Lets callers wait for activations to end. */
import { isOver, type Row } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface EndWaiters {
  /**
   * Resolves with the row when the activation is over or `signal` aborts. Throws what `find`
   * throws.
   */
  untilOver(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** Wakes the waiters of an activation that is durably over. */
  tell(id: ActivationId): void;
}

export const createEndWaiters = (find: (id: ActivationId) => Promise<Row<"activations">>): EndWaiters => {
  const waiters = new Map<ActivationId, Set<() => void>>();
  return {
    async untilOver(id, signal) {
      const ended = Promise.withResolvers<void>();
      const set = waiters.get(id) ?? new Set();
      waiters.set(id, set.add(ended.resolve));
      const cutShort = (): void => ended.resolve();
      signal.addEventListener("abort", cutShort);
      try {
        // Read after the waiter is registered, so that an end in between still wakes it.
        const row = await find(id);
        if (!isOver(row.state) && !signal.aborted) await ended.promise;
        return await find(id);
      } finally {
        signal.removeEventListener("abort", cutShort);
        set.delete(ended.resolve);
        if (set.size === 0 && waiters.get(id) === set) waiters.delete(id);
      }
    },
    tell(id) {
      for (const wake of waiters.get(id) ?? []) wake();
      waiters.delete(id);
    },
  };
};
