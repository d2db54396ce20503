/** Refetches stale data, one refetch at a time. */
import type { Clock } from "@hearth/protocol";
import type { RetryOptions } from "../transient.ts";
import type { StaleScope } from "./house-book.ts";
import { observe } from "../observe.ts";

export interface Refresh {
  /** Starts again for a new login. The end of that login aborts `signal`. */
  restart(signal: AbortSignal): void;
  /**
   * Requests a refetch of this scope. Scopes that become stale during a refetch are refetched
   * together after it.
   */
  request(scope: StaleScope): void;
  isRunning(): boolean;
}

export interface RefreshOptions {
  readonly clock: Clock;
  readonly refetch: (scope: StaleScope, retry: RetryOptions) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

export const createRefresh = ({ clock, refetch, fail }: RefreshOptions): Refresh => {
  let currentSignal = AbortSignal.abort();
  /** The scope that became stale since the last refetch began. */
  let staleScope: StaleScope = "none";
  let isRunning = false;

  const refetchStale = async (signal: AbortSignal): Promise<void> => {
    while (staleScope !== "none" && !signal.aborted) {
      const scope = staleScope;
      staleScope = "none";
      await refetch(scope, { clock, signal });
    }
  };

  return {
    restart(signal) {
      currentSignal = signal;
      staleScope = "none";
      isRunning = false;
    },
    request(scope) {
      if (scope === "none") return;
      if (staleScope !== "all") staleScope = scope;
      if (isRunning) return;
      isRunning = true;
      const signal = currentSignal;
      observe(
        refetchStale(signal)
          .catch((error: unknown) => {
            if (!signal.aborted) fail(error);
          })
          .finally(() => {
            if (signal === currentSignal) isRunning = false;
          }),
      );
    },
    isRunning: () => isRunning,
  };
};
