/** Virtual time: what is to happen, in its order. Nothing happens beside it, so a run is the same every time. */

export interface Timeline {
  /** Milliseconds since the run began. */
  now(): number;
  /** Things of one instant happen in the order in which they were put. Gives what takes it back. */
  at(delayMs: number, happen: () => void): () => void;
  /**
   * Lets things happen until only what was put off for hours is left: a house looks around so seldom by itself. Or until `isOver`, where
   * something comes again and again. False when it does not come to rest.
   */
  run(limits: { readonly events: number; readonly untilMs: number; readonly isOver: () => boolean }): Promise<boolean>;
  /** How many things have happened. */
  happened(): number;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  /** Whether somebody waits for it. */
  readonly isNear: boolean;
  happen: (() => void) | undefined;
}

/** Longer than anything waits that is waited for. */
const REST_MS = 3 * 60 * 60_000;

/** Lets everything that follows from the last thing follow: promises first, then whatever the runtime hands over. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export const createTimeline = (): Timeline => {
  const heap: Entry[] = [];
  let now = 0;
  let count = 0;
  let happened = 0;
  let near = 0;

  const isBefore = (one: Entry, other: Entry): boolean =>
    one.at < other.at || (one.at === other.at && one.order < other.order);
  const swap = (one: number, other: number): void => {
    const kept = heap[one] as Entry;
    heap[one] = heap[other] as Entry;
    heap[other] = kept;
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
        // It is over: who takes it back by now takes nothing back.
        next.happen = undefined;
        if (next.isNear) near -= 1;
        happen?.();
      }
      return false;
    },
    happened: () => happened,
  };
};
