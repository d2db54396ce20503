/**
 * Limits the number of open cells. If no slot is free, agents take turns, and the waiters of one
 * agent are served in order. This module does not depend on cells.
 */
import type { AgentId } from "@hearth/protocol";

export interface CellSlot {
  /** Frees the slot for the next waiter. Further calls do nothing. */
  free(): void;
}

export interface CellSlots {
  /** The number of waiters. */
  readonly waiting: number;
  /** Returns a free slot, or undefined. Never overtakes a waiter. */
  takeNow(): CellSlot | undefined;
  /** Waits for a slot. Returns undefined if `signal` aborts first. */
  take(agent: AgentId, signal: AbortSignal): Promise<CellSlot | undefined>;
  /** Serves waiters if the number of slots has grown. */
  serve(): void;
}

type Waiter = (slot: CellSlot | undefined) => void;

/** Creates the slots. `maxSlots` returns the maximum number of slots at this moment. */
export const createCellSlots = (maxSlots: () => number): CellSlots => {
  /** The waiters by agent, in the order of turns. An agent that had its turn moves to the end. */
  const queues = new Map<AgentId, Waiter[]>();
  let takenCount = 0;
  let waiting = 0;

  const takeNextWaiter = (): Waiter | undefined => {
    const [firstQueue] = queues;
    if (firstQueue === undefined) return undefined;
    const [agent, queue] = firstQueue;
    const waiter = queue.shift();
    queues.delete(agent);
    if (queue.length > 0) queues.set(agent, queue);
    return waiter;
  };

  const removeWaiter = (agent: AgentId, waiter: Waiter): void => {
    const queue = queues.get(agent) ?? [];
    const index = queue.indexOf(waiter);
    if (index === -1) return;
    queue.splice(index, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(agent);
    waiter(undefined);
  };

  const serve = (): void => {
    while (takenCount < maxSlots()) {
      const waiter = takeNextWaiter();
      if (waiter === undefined) return;
      waiting -= 1;
      takenCount += 1;
      waiter(createSlot());
    }
  };

  const createSlot = (): CellSlot => {
    let isFree = false;
    return {
      free() {
        if (isFree) return;
        isFree = true;
        takenCount -= 1;
        serve();
      },
    };
  };

  const takeNow = (): CellSlot | undefined => {
    // A slot is free only if no activation waits, because a released slot goes to the next waiter
    // at once.
    if (takenCount >= maxSlots()) return undefined;
    takenCount += 1;
    return createSlot();
  };

  return {
    get waiting() {
      return waiting;
    },
    takeNow,
    serve,
    take(agent, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      const slot = takeNow();
      if (slot !== undefined) return Promise.resolve(slot);
      return new Promise((resolve) => {
        const stop = (): void => removeWaiter(agent, waiter);
        const waiter: Waiter = (assigned) => {
          signal.removeEventListener("abort", stop);
          resolve(assigned);
        };
        waiting += 1;
        queues.set(agent, [...(queues.get(agent) ?? []), waiter]);
        signal.addEventListener("abort", stop, { once: true });
      });
    },
  };
};
