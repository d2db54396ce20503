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
  ask(about: StaleScope): void;
  isRunning(): boolean;
}

export interface RefreshOptions {
  readonly clock: Clock;
  readonly refetch: (about: StaleScope, retry: RetryOptions) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

export const createRefresh = ({ clock, refetch, fail }: RefreshOptions): Refresh => {
  let life = AbortSignal.abort();
  /** The scope that became stale since the last refetch began. */
  let stale: StaleScope = "none";
  let isRunning = false;

  const settle = async (signal: AbortSignal): Promise<void> => {
    while (stale !== "none" && !signal.aborted) {
      const about = stale;
      stale = "none";
      await refetch(about, { clock, signal });
    }
  };

  return {
    restart(signal) {
      life = signal;
      stale = "none";
      isRunning = false;
    },
    ask(about) {
      if (about === "none") return;
      if (stale !== "all") stale = about;
      if (isRunning) return;
      isRunning = true;
      const signal = life;
      observe(
        settle(signal)
          .catch((error: unknown) => {
            if (!signal.aborted) fail(error);
          })
          .finally(() => {
            if (signal === life) isRunning = false;
          }),
      );
    },
    isRunning: () => isRunning,
  };
};
