/**
 * Waits for background work of a rehearsal to finish before a machine is snapshotted. Otherwise
 * each cell would repeat that work.
 */
import type { Clock } from "@hearth/protocol";

/** Idle threads end some time after their last use. */
const THREAD_IDLE_MS = 3000;

export const waitForIdleThreads = (clock: Clock): Promise<void> => clock.sleep(THREAD_IDLE_MS);
