/** What each activation has under way, for whoever waits until it is over and written down. */
import type { ActivationId } from "@hearth/protocol";

export interface InFlight {
  /** Something begins; what comes back is to be called at its end. */
  begin(activation: ActivationId): () => void;
  /** Resolves when nothing of it is under way. */
  untilOver(activation: ActivationId): Promise<void>;
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
    async untilOver(activation) {
      await all.get(activation)?.over.promise;
    },
  };
};
