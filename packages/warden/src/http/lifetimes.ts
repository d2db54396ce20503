/** What waits or streams on the port right now: each ends with its caller, with its credential, or with the house. */
import type { Clock } from "@hearth/protocol";
import type { Caller } from "./http.ts";

export interface Lifetime {
  /** Aborts when the peer is gone, the credential no longer holds, or the house closes. */
  readonly signal: AbortSignal;
  /** Call it when the work is over, however it ended: it aborts the signal and nothing keeps running. */
  end(): void;
}

export interface Lifetimes {
  /** `peer` aborts when the other side goes away, where the platform tells so. `onRevoked` runs before the signal aborts. */
  begin(caller: Caller, options?: { readonly peer?: AbortSignal; readonly onRevoked?: () => void }): Lifetime;
  /** Ends all of them. One that begins later ends at once. */
  close(): void;
  closed(): boolean;
}

/** A revocation must be felt within a second. */
export const RECHECK_MS = 750;

export const createLifetimes = (clock: Clock): Lifetimes => {
  const open = new Set<AbortController>();
  let closed = false;

  const watch = async (caller: Caller, life: AbortController, onRevoked: () => void): Promise<void> => {
    for (;;) {
      await clock.sleep(RECHECK_MS, life.signal);
      if (life.signal.aborted) return;
      if (await caller.holds()) continue;
      onRevoked();
      life.abort();
    }
  };

  return {
    begin(caller, { peer, onRevoked = () => {} } = {}) {
      const life = new AbortController();
      const end = (): void => life.abort();
      life.signal.addEventListener("abort", () => {
        open.delete(life);
        peer?.removeEventListener("abort", end);
      });
      open.add(life);
      peer?.addEventListener("abort", end);
      if (closed || peer?.aborted === true) life.abort();
      else void watch(caller, life, onRevoked);
      return { signal: life.signal, end };
    },
    close() {
      closed = true;
      for (const life of open) life.abort();
    },
    closed: () => closed,
  };
};
