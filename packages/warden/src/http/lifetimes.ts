/**
 * Tracks all waiting and streaming requests of the port. Each ends with its caller, its credential,
 * or the house.
 */
import type { Clock } from "@hearth/protocol";
import type { Caller } from "./http.ts";

export interface Lifetime {
  /** Aborts when the peer disconnects, the credential becomes invalid, or the house closes. */
  readonly signal: AbortSignal;
  /** Aborts the signal and stops the checks. The caller calls it when its work is over, with any outcome. */
  end(): void;
}

export interface LifetimeOptions {
  readonly peer?: AbortSignal;
  readonly onRevoked?: () => void;
  /** Whether the caller may still read the response. Never rejects. */
  readonly mayContinue?: () => Promise<boolean>;
}

export interface Lifetimes {
  /**
   * Begins a lifetime. `peer` aborts when the other side disconnects, if the platform reports it.
   * `onRevoked` runs before the signal aborts.
   */
  begin(caller: Caller, options?: LifetimeOptions): Lifetime;
  /** Ends all lifetimes. A lifetime that begins later ends at once. */
  close(): void;
  isClosed(): boolean;
}

/** Interval of the checks of credentials. A revocation must take effect within a second. */
export const RECHECK_MS = 750;

export const createLifetimes = (clock: Clock): Lifetimes => {
  const activeLifetimes = new Map<AbortController, () => Promise<void>>();
  /** Aborted when no lifetime is left to check. */
  let recheckStop = new AbortController();
  let isClosed = false;

  /** Checks all lifetimes with one timer, because thousands may be open. */
  const checkRepeatedly = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(RECHECK_MS, signal);
      if (signal.aborted) return;
      await Promise.all([...activeLifetimes.values()].map((check) => check()));
    }
  };

  const endAll = (): void => {
    for (const controller of [...activeLifetimes.keys()]) controller.abort();
  };

  const add = (controller: AbortController, check: () => Promise<void>): void => {
    activeLifetimes.set(controller, check);
    if (activeLifetimes.size > 1) return;
    recheckStop = new AbortController();
    // Access that cannot be checked ends.
    checkRepeatedly(recheckStop.signal).catch(endAll);
  };

  const remove = (controller: AbortController): void => {
    if (activeLifetimes.delete(controller) && activeLifetimes.size === 0) recheckStop.abort();
  };

  return {
    begin(caller, options = {}) {
      const { peer, onRevoked = () => {}, mayContinue = () => Promise.resolve(true) } = options;
      const controller = new AbortController();
      const end = (): void => controller.abort();
      const check = async (): Promise<void> => {
        if ((await caller.isStillValid()) && (await mayContinue())) return;
        if (!controller.signal.aborted) onRevoked();
        end();
      };
      controller.signal.addEventListener("abort", () => {
        remove(controller);
        peer?.removeEventListener("abort", end);
      });
      peer?.addEventListener("abort", end);
      if (isClosed || peer?.aborted === true) controller.abort();
      else add(controller, check);
      return { signal: controller.signal, end };
    },
    close() {
      isClosed = true;
      for (const controller of [...activeLifetimes.keys()]) controller.abort();
    },
    isClosed: () => isClosed,
  };
};
