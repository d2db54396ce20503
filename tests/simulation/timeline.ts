/**
 * Virtual time: a queue of all scheduled callbacks. Nothing else runs, so every run is
 * reproducible.
 */

export interface Timeline {
  /** Milliseconds since the run began. */
  now(): number;
  /**
   * Schedules a callback. Callbacks of one instant run in insertion order. Returns the cancel
   * function.
   */
  at(delayMs: number, happen: () => void): () => void;
  /**
   * Runs callbacks until the house is at rest, which means that only callbacks with a delay of
   * hours are left, or until `isOver`. Returns `false` if a limit was reached first.
   */
  run(limits: { readonly events: number; readonly untilMs: number; readonly isOver: () => boolean }): Promise<boolean>;
  /** Number of callbacks that have run. */
  happened(): number;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  /** Whether its delay is short enough to keep the house from being at rest. */
  readonly isNear: boolean;
  happen: (() => void) | undefined;
}

/** Longer than any delay that a run waits for. */
const REST_MS = 3 * 60 * 60_000;

/** Waits until the last callback's promises and runtime tasks have run. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export const createTimeline = (): Timeline => {
  const heap: Entry[] = [];
  let now = 0;
  let count = 0;
  let happened = 0;
  let near = 0;

  const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  const swap = (a: number, b: number): void => {
    const kept = heap[a] as Entry;
    heap[a] = heap[b] as Entry;
    heap[b] = kept;
  };
  const push = (entry: Entry): void => {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(heap[index] as Entry, heap[parent] as Entry)) break;
      swap(index, parent);
      index = parent;
    }
  };
  const pop = (): Entry | undefined => {
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let index = 0; ;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && isBefore(heap[child] as Entry, heap[least] as Entry)) least = child;
      if (least === index) return first;
      swap(index, least);
      index = least;
    }
  };

  return {
    now: () => now,
    at(delayMs, happen) {
      count += 1;
      const entry: Entry = { at: now + Math.max(0, delayMs), order: count, isNear: delayMs < REST_MS, happen };
      if (entry.isNear) near += 1;
      push(entry);
      return () => {
        if (entry.isNear && entry.happen !== undefined) near -= 1;
        entry.happen = undefined;
      };
    },
    async run({ events, untilMs, isOver }) {
      for (; happened < events; happened += 1) {
        await settle();
        while (heap[0] !== undefined && heap[0].happen === undefined) pop();
        const next = heap[0];
        if (next === undefined || near === 0 || isOver()) return true;
        if (next.at > untilMs) return false;
        pop();
        now = next.at;
        const { happen } = next;
        // From here on, cancelling has no effect.
        next.happen = undefined;
        if (next.isNear) near -= 1;
        happen?.();
      }
      return false;
    },
    happened: () => happened,
  };
};
