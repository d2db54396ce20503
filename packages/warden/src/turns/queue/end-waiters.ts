/** Who waits for activations to be over. */
import { isOver, type Row } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface EndWaiters {
  /** The row as it is when it is over, or when `signal` aborts. Throws what `find` throws. */
  untilOver(id: ActivationId, signal: AbortSignal): Promise<Row<"activations">>;
  /** It is over, durably. */
  tell(id: ActivationId): void;
}

export const createEndWaiters = (find: (id: ActivationId) => Promise<Row<"activations">>): EndWaiters => {
  const waiters = new Map<ActivationId, Set<() => void>>();
  return {
    async untilOver(id, signal) {
      const over = Promise.withResolvers<void>();
      const set = waiters.get(id) ?? new Set();
      waiters.set(id, set.add(over.resolve));
      const cutShort = (): void => over.resolve();
      signal.addEventListener("abort", cutShort);
      try {
        // After it is known who waits: what ends meanwhile tells them.
        const row = await find(id);
        if (!isOver(row.state) && !signal.aborted) await over.promise;
        return await find(id);
      } finally {
        signal.removeEventListener("abort", cutShort);
        set.delete(over.resolve);
        if (set.size === 0 && waiters.get(id) === set) waiters.delete(id);
      }
    },
    tell(id) {
      for (const wake of waiters.get(id) ?? []) wake();
      waiters.delete(id);
    },
  };
};
