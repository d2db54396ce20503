/** One at a time per agent and room, in the order of arrival; different lanes side by side. Knows nothing of what it runs. */

export interface Lanes<Item> {
  /** Queues an item at the end of its lane. */
  add(lane: string, item: Item): void;
  /** Takes the first match out of a queue; `undefined` if it is not waiting (any more). */
  take(lane: string, matches: (item: Item) => boolean): Item | undefined;
  /** Resolves once nothing runs or waits. */
  drained(): Promise<void>;
  counts(): { readonly queued: number; readonly running: number };
}

/** `run` reports its own failures; one that rejects is a bug and ends its lane loudly. */
export const createLanes = <Item>(run: (item: Item) => Promise<void>): Lanes<Item> => {
  const queues = new Map<string, Item[]>();
  const working = new Set<Promise<void>>();
  let running = 0;

  const work = async (lane: string, queue: Item[]): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      running += 1;
      try {
        await run(item);
      } finally {
        running -= 1;
      }
    }
    queues.delete(lane);
  };

  return {
    add(lane, item) {
      const queue = queues.get(lane);
      if (queue !== undefined) {
        queue.push(item);
        return;
      }
      const fresh = [item];
      queues.set(lane, fresh);
      const done = work(lane, fresh).finally(() => working.delete(done));
      working.add(done);
    },
    take(lane, matches) {
      const queue = queues.get(lane);
      const index = queue?.findIndex(matches) ?? -1;
      return index < 0 ? undefined : queue?.splice(index, 1)[0];
    },
    async drained() {
      while (working.size > 0) await Promise.allSettled(working);
    },
    counts: () => ({ queued: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0), running }),
  };
};
