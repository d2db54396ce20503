/**
 * Tracks the running calls of each activation, so that a caller can wait until they have ended and
 * are recorded.
 */
import type { ActivationId } from "@hearth/protocol";

export interface InFlight {
  /** Records the start of a call. The returned function must be called at its end. */
  begin(activation: ActivationId): () => void;
  /** Resolves when no call of the activation is running. */
  waitForCalls(activation: ActivationId): Promise<void>;
}

interface Open {
  count: number;
  readonly over: PromiseWithResolvers<void>;
}

export const createInFlight = (): InFlight => {
  const all = new Map<ActivationId, Open>();
  return {
    begin(activation) {
      const open = all.get(activation) ?? { count: 0, over: Promise.withResolvers<void>() };
      all.set(activation, open);
      open.count += 1;
      return () => {
        open.count -= 1;
        if (open.count > 0) return;
        all.delete(activation);
        open.over.resolve();
      };
    },
    async waitForCalls(activation) {
      await all.get(activation)?.over.promise;
    },
  };
};
