/**
 * Releases memory that the daemon no longer needs: once after the start, and whenever the daemon is
 * idle again after work.
 */
import type { Clock } from "@hearth/protocol";

/** Interval at which the daemon checks its processor time. */
const CHECK_INTERVAL_MS = 5000;
/** Maximum processor time between two checks with which the daemon counts as idle. */
const IDLE_CPU_MS = 100;
/** Minimum work since the last collection. Less work leaves too little garbage for another one. */
const WORK_CPU_MS = 500;
/**
 * Number of collections. The allocator returns freed memory to the system with a delay, and later
 * collections free what earlier ones could not.
 */
const COLLECTION_COUNT = 3;
/** Delay after the start. Callers that waited for the start have then been served. */
const START_MS = 2000;

export interface IdleReleaseOptions {
  readonly sleep: Clock["sleep"];
  /** Processor time that this process has used so far. */
  readonly cpuMs: () => number;
  /** Blocks until all garbage is collected. */
  readonly collect: () => void;
  /**
   * Drops compiled code, which is compiled again when it runs. The next collection frees its
   * memory.
   */
  readonly dropCode: () => void;
  readonly signal: AbortSignal;
}

/** Releases memory until `signal` aborts. */
export const releaseWhenIdle = async (options: IdleReleaseOptions): Promise<void> => {
  const { sleep, cpuMs, collect, dropCode, signal } = options;
  await sleep(START_MS, signal);
  if (signal.aborted) return;
  collect();
  let cpuAtCollectionMs = cpuMs();
  let cpuAtCheckMs = cpuAtCollectionMs;
  let collectionsLeft = 0;
  for (;;) {
    await sleep(CHECK_INTERVAL_MS, signal);
    if (signal.aborted) return;
    const cpuNowMs = cpuMs();
    const isIdle = cpuNowMs - cpuAtCheckMs <= IDLE_CPU_MS;
    cpuAtCheckMs = cpuNowMs;
    if (cpuNowMs - cpuAtCollectionMs >= WORK_CPU_MS) collectionsLeft = COLLECTION_COUNT;
    if (!isIdle || collectionsLeft === 0) continue;
    collectionsLeft -= 1;
    // Code is dropped only before the last collection, because a short pause in a conversation must
    // not slow down the next turn.
    if (collectionsLeft === 0) dropCode();
    collect();
    // The processor time of the collection is not work.
    cpuAtCollectionMs = cpuMs();
    cpuAtCheckMs = cpuAtCollectionMs;
  }
};
