/**
 * How many cells are open at once, and whose turn it is when there is no place left: agent after agent, and within one whoever came
 * first. Knows nothing of cells.
 */
import type { AgentId } from "@hearth/protocol";

export interface CellSlot {
  /** Gives it to whoever is next. Once. */
  free(): void;
}

export interface CellSlots {
  /** How many wait. */
  readonly waiting: number;
  /** At once or not at all: nobody who waits is passed over. */
  takeNow(): CellSlot | undefined;
  /** Waits for its turn. Nothing when `signal` aborts before. */
  take(agent: AgentId, signal: AbortSignal): Promise<CellSlot | undefined>;
}

type Waiter = (place: CellSlot | undefined) => void;

export const createCellSlots = (most: number): CellSlots => {
  /** In the order of their turns. Whoever had one goes to the end. */
  const queues = new Map<AgentId, Waiter[]>();
  let taken = 0;
  let waiting = 0;

  const next = (): Waiter | undefined => {
    const [first] = queues;
    if (first === undefined) return undefined;
    const [agent, queue] = first;
    const waiter = queue.shift();
    queues.delete(agent);
    if (queue.length > 0) queues.set(agent, queue);
    return waiter;
  };

  const leave = (agent: AgentId, waiter: Waiter): void => {
    const queue = queues.get(agent) ?? [];
    const at = queue.indexOf(waiter);
    if (at === -1) return;
    queue.splice(at, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(agent);
    waiter(undefined);
  };

  const createPlace = (): CellSlot => {
    let isFree = false;
    return {
      free() {
        if (isFree) return;
        isFree = true;
        const waiter = next();
        if (waiter === undefined) taken -= 1;
        else {
          waiting -= 1;
          waiter(createPlace());
        }
      },
    };
  };

  const takeNow = (): CellSlot | undefined => {
    // With a place free nobody waits: it went to the next one when it became free.
    if (taken >= most) return undefined;
    taken += 1;
    return createPlace();
  };

  return {
    get waiting() {
      return waiting;
    },
    takeNow,
    take(agent, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      const place = takeNow();
      if (place !== undefined) return Promise.resolve(place);
      return new Promise((resolve) => {
        const stop = (): void => leave(agent, waiter);
        const waiter: Waiter = (got) => {
          signal.removeEventListener("abort", stop);
          resolve(got);
        };
        waiting += 1;
        queues.set(agent, [...(queues.get(agent) ?? []), waiter]);
        signal.addEventListener("abort", stop, { once: true });
      });
    },
  };
};
