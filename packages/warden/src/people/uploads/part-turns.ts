/** Lets a part of an upload that arrives early wait until the parts before it are stored. */
import type { Clock } from "@hearth/protocol";
import type { PartWait } from "./uploads.ts";

/** The wait of one part. Disposing ends it. */
export interface PartTurn extends Disposable {
  /** Resolves when the upload may have reached the offset, or the wait is over. */
  readonly reached: Promise<void>;
}

export interface PartTurns {
  /** Begins a wait. The caller then reads the offset, so that it misses no change. */
  begin(id: string, offset: number, wait: PartWait): PartTurn;
  /** Ends the waits of an upload for offsets up to this one. */
  advance(id: string, offset: number): void;
}

interface Waiter {
  readonly offset: number;
  readonly endController: AbortController;
}

export const createPartTurns = (clock: Pick<Clock, "sleep">): PartTurns => {
  const waiters = new Map<string, Set<Waiter>>();
  return {
    begin(id, offset, { ms, signal }) {
      const waiter: Waiter = { offset, endController: new AbortController() };
      const uploadWaiters = waiters.get(id) ?? new Set();
      waiters.set(id, uploadWaiters.add(waiter));
      return {
        reached: clock.sleep(ms, AbortSignal.any([signal, waiter.endController.signal])),
        [Symbol.dispose]() {
          waiter.endController.abort();
          uploadWaiters.delete(waiter);
          if (uploadWaiters.size === 0 && waiters.get(id) === uploadWaiters) waiters.delete(id);
        },
      };
    },
    advance(id, offset) {
      for (const waiter of waiters.get(id) ?? []) if (waiter.offset <= offset) waiter.endController.abort();
    },
  };
};
