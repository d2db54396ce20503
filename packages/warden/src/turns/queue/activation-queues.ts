/**
 * Runs the items of each lane one at a time, in the order of arrival, and different lanes
 * concurrently. A lane whose next item is held waits.
 */

export interface ActivationQueues<Item> {
  /** Adds an item at the end of its lane. */
  add(lane: string, item: Item): void;
  /** Removes and returns the matching items that have not begun, in their order. */
  take(lane: string, matches: (item: Item) => boolean): readonly Item[];
  /** Whether a matching item waits in the lane. */
  has(lane: string, matches: (item: Item) => boolean): boolean;
  /** Returns taken items to the front of the lane, in the same order. */
  putBack(lane: string, items: readonly Item[]): void;
  /** Checks again whether held lanes may continue. */
  wake(): void;
  /** Resolves when nothing runs and nothing waits except in held lanes. */
  drained(): Promise<void>;
  counts(): { readonly queued: number; readonly running: number };
  /** Runs an item at once, outside its lane, for items that end without work. */
  runNow(item: Item): Promise<void>;
  /**
   * Sets the function that runs an item. The caller calls it once, before the first item arrives.
   * The function must not reject: a rejection ends the work of the lane and is unhandled.
   */
  serve(run: (item: Item) => Promise<void>): void;
}

/** `isHeld` is called before each item: while it returns true, the lane waits. */
export const createActivationQueues = <Item>(isHeld: (item: Item) => boolean = () => false): ActivationQueues<Item> => {
  let run = (_item: Item): Promise<void> => Promise.reject(new Error("nothing serves this queue"));
  const queues = new Map<string, Item[]>();
  const workByLane = new Map<string, Promise<void>>();
  let runningCount = 0;

  const canStart = (queue: readonly Item[]): boolean => {
    const [item] = queue;
    return item !== undefined && !isHeld(item);
  };

  const runLane = async (lane: string, queue: Item[]): Promise<void> => {
    try {
      while (canStart(queue)) {
        const item = queue.shift() as Item;
        runningCount += 1;
        try {
          await run(item);
        } finally {
          runningCount -= 1;
        }
      }
    } finally {
      workByLane.delete(lane);
      if (queue.length === 0) queues.delete(lane);
    }
  };

  const start = (lane: string, queue: Item[]): void => {
    if (workByLane.has(lane) || !canStart(queue)) return;
    // The lane is marked as working first, because the item may call `add` or `wake` synchronously.
    const laneWork = Promise.withResolvers<void>();
    workByLane.set(lane, laneWork.promise);
    laneWork.resolve(runLane(lane, queue));
  };

  const queueOf = (lane: string): Item[] => {
    const queue = queues.get(lane) ?? [];
    queues.set(lane, queue);
    return queue;
  };

  return {
    add(lane, item) {
      const queue = queueOf(lane);
      queue.push(item);
      start(lane, queue);
    },
    take(lane, matches) {
      const queue = queues.get(lane) ?? [];
      const matching = queue.filter(matches);
      const remainingItems = queue.filter((item) => !matching.includes(item));
      queue.splice(0, queue.length, ...remainingItems);
      if (remainingItems.length === 0 && !workByLane.has(lane)) queues.delete(lane);
      return matching;
    },
    has: (lane, matches) => queues.get(lane)?.some(matches) ?? false,
    putBack(lane, items) {
      const queue = queueOf(lane);
      queue.unshift(...items);
      start(lane, queue);
    },
    wake() {
      for (const [lane, queue] of queues) start(lane, queue);
    },
    async drained() {
      while (workByLane.size > 0) await Promise.allSettled(workByLane.values());
    },
    counts: () => ({
      queued: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
      running: runningCount,
    }),
    runNow: (item) => run(item),
    serve(newRun) {
      run = newRun;
    },
  };
};
