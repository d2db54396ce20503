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
  readonly over: AbortController;
}

export const createPartTurns = (clock: Pick<Clock, "sleep">): PartTurns => {
  const waiters = new Map<string, Set<Waiter>>();
  return {
    begin(id, offset, { ms, signal }) {
      const waiter: Waiter = { offset, over: new AbortController() };
      const waiting = waiters.get(id) ?? new Set();
      waiters.set(id, waiting.add(waiter));
      return {
        reached: clock.sleep(ms, AbortSignal.any([signal, waiter.over.signal])),
        [Symbol.dispose]() {
          waiter.over.abort();
          waiting.delete(waiter);
          if (waiting.size === 0 && waiters.get(id) === waiting) waiters.delete(id);
        },
      };
    },
    advance(id, offset) {
      for (const waiter of waiters.get(id) ?? []) if (waiter.offset <= offset) waiter.over.abort();
    },
  };
};
