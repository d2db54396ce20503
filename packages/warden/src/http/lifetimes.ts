/**
 * Tracks all waiting and streaming requests of the port. Each ends with its caller, its credential,
 * or the house.
 */
import type { Clock } from "@hearth/protocol";
import type { Caller } from "./http.ts";

export interface Lifetime {
  /** Aborts when the peer disconnects, the credential becomes invalid, or the house closes. */
  readonly signal: AbortSignal;
  /** Call it when the work is over, with any outcome: aborts the signal and stops the checks. */
  end(): void;
}

export interface LifetimeOptions {
  readonly peer?: AbortSignal;
  readonly onRevoked?: () => void;
  /** Whether the caller may still read it. Never rejects. */
  readonly mayContinue?: () => Promise<boolean>;
}

export interface Lifetimes {
  /**
   * `peer` aborts when the other side disconnects, if the platform reports it. `onRevoked` runs
   * before the signal aborts.
   */
  begin(caller: Caller, options?: LifetimeOptions): Lifetime;
  /** Ends all. A later one ends at once. */
  close(): void;
  isClosed(): boolean;
}

/** Interval of the checks of credentials. A revocation must take effect within a second. */
export const RECHECK_MS = 750;

export const createLifetimes = (clock: Clock): Lifetimes => {
  const activeLifetimes = new Map<AbortController, () => Promise<void>>();
  /** Aborts when nothing is left to check. */
  let recheckStop = new AbortController();
  let isClosed = false;

  /** One timer for all, since thousands may be open. */
  const checkRepeatedly = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(RECHECK_MS, signal);
      if (signal.aborted) return;
      await Promise.all([...activeLifetimes.values()].map((check) => check()));
    }
  };

  const endAll = (): void => {
    for (const life of [...activeLifetimes.keys()]) life.abort();
  };

  const add = (life: AbortController, check: () => Promise<void>): void => {
    activeLifetimes.set(life, check);
    if (activeLifetimes.size > 1) return;
    recheckStop = new AbortController();
    // Access that cannot be checked ends.
    checkRepeatedly(recheckStop.signal).catch(endAll);
  };

  const remove = (life: AbortController): void => {
    if (activeLifetimes.delete(life) && activeLifetimes.size === 0) recheckStop.abort();
  };

  return {
    begin(caller, options = {}) {
      const { peer, onRevoked = () => {}, mayContinue = () => Promise.resolve(true) } = options;
      const life = new AbortController();
      const end = (): void => life.abort();
      const check = async (): Promise<void> => {
        if ((await caller.isStillValid()) && (await mayContinue())) return;
        if (!life.signal.aborted) onRevoked();
        end();
      };
      life.signal.addEventListener("abort", () => {
        remove(life);
        peer?.removeEventListener("abort", end);
      });
      peer?.addEventListener("abort", end);
      if (isClosed || peer?.aborted === true) life.abort();
      else add(life, check);
      return { signal: life.signal, end };
    },
    close() {
      isClosed = true;
      for (const life of [...activeLifetimes.keys()]) life.abort();
    },
    isClosed: () => isClosed,
  };
};
