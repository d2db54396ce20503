/**
 * A priority queue of keys, each with at most one instant. It is a heap, in which an outdated entry
 * stays until it is the earliest.
 */

export interface Timeline<Key extends string> {
  /** Sets the key's instant, or removes it if `at` is undefined. */
  set(key: Key, at: number | undefined): void;
  /** Returns the earliest instant. */
  next(): number | undefined;
  /** Removes and returns the due keys, earliest first. */
  take(now: number): readonly Key[];
  readonly size: () => number;
}

interface Entry<Key> {
  readonly key: Key;
  readonly at: number;
}

export const createTimeline = <Key extends string>(): Timeline<Key> => {
  const instants = new Map<Key, number>();
  let heap: Entry<Key>[] = [];

  const isCurrent = ({ key, at }: Entry<Key>): boolean => instants.get(key) === at;

  const push = (entry: Entry<Key>): void => {
    heap.push(entry);
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const parentEntry = heap[parent];
      if (parentEntry === undefined || parentEntry.at <= entry.at) break;
      heap[index] = parentEntry;
      index = parent;
    }
    heap[index] = entry;
  };

  const pop = (): Entry<Key> | undefined => {
    const [earliest] = heap;
    const lastEntry = heap.pop();
    if (lastEntry === undefined || heap.length === 0) return earliest;
    let index = 0;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const isRight = right !== undefined && (left === undefined || right.at < left.at);
      const child = isRight ? right : left;
      if (child === undefined || child.at >= lastEntry.at) break;
      heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = lastEntry;
    return earliest;
  };

  const dropOutdated = (): void => {
    for (let [earliest] = heap; earliest !== undefined && !isCurrent(earliest); [earliest] = heap) pop();
  };

  return {
    set(key, at) {
      if (at === undefined) instants.delete(key);
      else if (instants.get(key) !== at) {
        instants.set(key, at);
        push({ key, at });
      }
      // The heap is rebuilt when outdated entries outnumber current ones.
      if (heap.length > 64 && heap.length > 2 * instants.size) {
        heap = [...instants].map(([entryKey, instant]) => ({ key: entryKey, at: instant })).sort((a, b) => a.at - b.at);
      }
    },
    next() {
      dropOutdated();
      return heap[0]?.at;
    },
    take(now) {
      const dueKeys: Key[] = [];
      for (;;) {
        dropOutdated();
        const [earliest] = heap;
        if (earliest === undefined || earliest.at > now) return dueKeys;
        pop();
        instants.delete(earliest.key);
        dueKeys.push(earliest.key);
      }
    },
    size: () => instants.size,
  };
};
