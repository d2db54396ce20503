/**
 * Runs one worker per key with pending work, such as a conversation to send to or a room to read.
 * Without pending work there is no worker and no timer.
 */

export interface Worker {
  /** Resolves when there is more work, after `ms`, or when the house ends. */
  pause(ms: number): Promise<void>;
}

export interface Workers {
  /**
   * Makes sure that `work` runs for this key after this call. Starts a worker, or makes the
   * running one check again.
   */
  start(key: string, work: (worker: Worker) => Promise<void>): void;
  /** Resolves when no worker is left. */
  idle(): Promise<void>;
}

export const createWorkers = (options: {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}): Workers => {
  const { sleep, signal } = options;
  const workers = new Map<string, { mustRunAgain: boolean; wake: () => void; readonly done: Promise<void> }>();

  const startWorker = (key: string, work: (worker: Worker) => Promise<void>): void => {
    const pause = async (ms: number): Promise<void> => {
      const controller = new AbortController();
      entry.wake = () => controller.abort();
      signal.addEventListener("abort", entry.wake);
      if (!entry.mustRunAgain && !signal.aborted) await sleep(ms, controller.signal);
      signal.removeEventListener("abort", entry.wake);
      entry.wake = () => {};
      entry.mustRunAgain = false;
    };
    const run = async (): Promise<void> => {
      // Waits until `workers` contains the entry.
      await Promise.resolve();
      do {
        entry.mustRunAgain = false;
        await work({ pause });
      } while (entry.mustRunAgain && !signal.aborted);
      workers.delete(key);
    };
    const entry = { mustRunAgain: false, wake: () => {}, done: run() };
    workers.set(key, entry);
  };

  return {
    start(key, work) {
      const runningWorker = workers.get(key);
      if (runningWorker === undefined) return startWorker(key, work);
      runningWorker.mustRunAgain = true;
      runningWorker.wake();
    },
    async idle() {
      while (workers.size > 0) await Promise.all([...workers.values()].map(({ done }) => done));
    },
  };
};
