/**
 * Runs items one at a time per lane, in the order of arrival, with different lanes concurrently.
 * Held lanes wait. It knows nothing about what it runs.
 */

export interface ActivationQueues<Item> {
  /** Adds an item at the end of its lane. */
  add(lane: string, item: Item): void;
  /** Removes and returns the matching items that still wait, in their order. */
  take(lane: string, matches: (item: Item) => boolean): readonly Item[];
  /** Whether a matching item waits in the lane. */
  has(lane: string, matches: (item: Item) => boolean): boolean;
  /** Returns taken items to the front of the lane, in the same order. */
  giveBack(lane: string, items: readonly Item[]): void;
  /** Checks held lanes again. */
  wake(): void;
  /** Resolves when nothing runs and nothing waits except in held lanes. */
  drained(): Promise<void>;
  counts(): { readonly queued: number; readonly running: number };
  /**
   * Runs an item at once, outside its lane. For items that end without work.
   */
  runNow(item: Item): Promise<void>;
  /**
   * Sets what runs an item. Called once, before the first item arrives. It must handle its own
   * failures; a rejection is a bug and ends its lane loudly.
   */
  serve(run: (item: Item) => Promise<void>): void;
}

/** `isHeld` is called before each item: while it returns true, the lane waits. */
export const createActivationQueues = <Item>(isHeld: (item: Item) => boolean = () => false): ActivationQueues<Item> => {
  let run = (_item: Item): Promise<void> => Promise.reject(new Error("nothing serves this queue"));
  const queues = new Map<string, Item[]>();
  const working = new Map<string, Promise<void>>();
  let running = 0;

  const next = (queue: readonly Item[]): boolean => {
    const [item] = queue;
    return item !== undefined && !isHeld(item);
  };

  const work = async (lane: string, queue: Item[]): Promise<void> => {
    try {
      while (next(queue)) {
        const item = queue.shift() as Item;
        running += 1;
        try {
          await run(item);
        } finally {
          running -= 1;
        }
      }
    } finally {
      working.delete(lane);
      if (queue.length === 0) queues.delete(lane);
    }
  };

  const start = (lane: string, queue: Item[]): void => {
    if (working.has(lane) || !next(queue)) return;
    // Marked before it runs: what the item does synchronously must not start it a second time.
    const started = Promise.withResolvers<void>();
    working.set(lane, started.promise);
    started.resolve(work(lane, queue));
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
      const left = queue.filter((item) => !matching.includes(item));
      queue.splice(0, queue.length, ...left);
      if (left.length === 0 && !working.has(lane)) queues.delete(lane);
      return matching;
    },
    has: (lane, matches) => queues.get(lane)?.some(matches) ?? false,
    giveBack(lane, items) {
      const queue = queueOf(lane);
      queue.unshift(...items);
      start(lane, queue);
    },
    wake() {
      for (const [lane, queue] of queues) start(lane, queue);
    },
    async drained() {
      while (working.size > 0) await Promise.allSettled(working.values());
    },
    counts: () => ({ queued: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0), running }),
    runNow: (item) => run(item),
    serve(serving) {
      run = serving;
    },
  };
};
