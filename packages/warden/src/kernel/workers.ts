/** One worker per key that has work: a conversation to send to, a room to read. None is there, and no clock runs, while nothing waits. */

export interface Worker {
  /** Resolves when somebody said that there is more, or after `ms`, or when the house ends. */
  pause(ms: number): Promise<void>;
}

export interface Workers {
  /** Sees to it that `work` runs for this key after this call: begins it, or has it look again. */
  start(key: string, work: (worker: Worker) => Promise<void>): void;
  /** Resolves when none is left. */
  idle(): Promise<void>;
}

export const createWorkers = (options: {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}): Workers => {
  const { sleep, signal } = options;
  const busy = new Map<string, { again: boolean; wake: () => void; readonly done: Promise<void> }>();

  const begin = (key: string, work: (worker: Worker) => Promise<void>): void => {
    const pause = async (ms: number): Promise<void> => {
      const over = new AbortController();
      entry.wake = () => over.abort();
      signal.addEventListener("abort", entry.wake);
      if (!entry.again && !signal.aborted) await sleep(ms, over.signal);
      signal.removeEventListener("abort", entry.wake);
      entry.wake = () => {};
      entry.again = false;
    };
    const run = async (): Promise<void> => {
      // After `busy` knows it.
      await Promise.resolve();
      do {
        entry.again = false;
        await work({ pause });
      } while (entry.again && !signal.aborted);
      busy.delete(key);
    };
    const entry = { again: false, wake: () => {}, done: run() };
    busy.set(key, entry);
  };

  return {
    start(key, work) {
      const known = busy.get(key);
      if (known === undefined) return begin(key, work);
      known.again = true;
      known.wake();
    },
    async idle() {
      while (busy.size > 0) await Promise.all([...busy.values()].map(({ done }) => done));
    },
  };
};
