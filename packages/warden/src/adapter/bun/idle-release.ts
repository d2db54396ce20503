/** Releases memory that the daemon no longer needs: once after the start, and whenever the daemon is idle again after work. */
import type { Clock } from "@hearth/protocol";

/** How often the daemon looks at its processor time. */
const LOOK_MS = 5000;
/** The daemon is idle when it used at most this much processor time between two looks. */
const IDLE_CPU_MS = 100;
/** Less work than this since the last release leaves too little garbage to collect. */
const WORK_CPU_MS = 1000;
/** One collection frees objects whose memory only the next one, or the allocator in between, returns to the system. */
const COLLECTIONS = 3;
/** Callers that waited for the start have been served by then. */
const START_MS = 2000;

export interface IdleReleaseOptions {
  readonly sleep: Clock["sleep"];
  /** Processor time that this process has used so far. */
  readonly cpuMs: () => number;
  /** Blocks until all garbage is collected. */
  readonly collect: () => void;
  readonly signal: AbortSignal;
}

/** Runs until `signal` aborts. */
export const releaseWhenIdle = async ({ sleep, cpuMs, collect, signal }: IdleReleaseOptions): Promise<void> => {
  await sleep(START_MS, signal);
  if (signal.aborted) return;
  collect();
  let collectedAtMs = cpuMs();
  let lookedAtMs = collectedAtMs;
  let left = 0;
  for (;;) {
    await sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    const nowMs = cpuMs();
    const isIdle = nowMs - lookedAtMs <= IDLE_CPU_MS;
    lookedAtMs = nowMs;
    if (nowMs - collectedAtMs >= WORK_CPU_MS) left = COLLECTIONS;
    if (!isIdle || left === 0) continue;
    collect();
    left -= 1;
    // The processor time of the collection is not work.
    collectedAtMs = cpuMs();
    lookedAtMs = collectedAtMs;
  }
};
