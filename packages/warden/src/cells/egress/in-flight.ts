/**
 * Tracks the running calls of each activation, so that a caller can wait until they have ended and
 * are recorded.
 */
import type { ActivationId } from "@hearth/protocol";

export interface InFlightCalls {
  /** Records the start of a call. The caller calls the returned function at its end. */
  begin(activation: ActivationId): () => void;
  /** Resolves when no call of the activation is running. */
  waitForCalls(activation: ActivationId): Promise<void>;
}

interface RunningCalls {
  count: number;
  readonly ended: PromiseWithResolvers<void>;
}

export const createInFlightCalls = (): InFlightCalls => {
  const callsByActivation = new Map<ActivationId, RunningCalls>();
  return {
    begin(activation) {
      const runningCalls = callsByActivation.get(activation) ?? { count: 0, ended: Promise.withResolvers<void>() };
      callsByActivation.set(activation, runningCalls);
      runningCalls.count += 1;
      return () => {
        runningCalls.count -= 1;
        if (runningCalls.count > 0) return;
        callsByActivation.delete(activation);
        runningCalls.ended.resolve();
      };
    },
    async waitForCalls(activation) {
      await callsByActivation.get(activation)?.ended.promise;
    },
  };
};
