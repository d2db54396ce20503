/**
 * A semaphore with a bounded queue: requests wait in order, and are refused when the queue is full.
 */
import { HearthError } from "@hearth/protocol";

export interface Semaphore {
  /** Runs the work when there is room. Throws `auth.limited` at once if the queue is full. */
  pass<Value>(work: () => Promise<Value>): Promise<Value>;
}

const RETRY_MS = 1_000;

export const createSemaphore = ({
  maxConcurrent,
  maxQueued,
}: {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
}): Semaphore => {
  let freeSlots = maxConcurrent;
  const queue: (() => void)[] = [];

  const releaseSlot = (): void => {
    const startNext = queue.shift();
    if (startNext === undefined) freeSlots += 1;
    else startNext();
  };

  return {
    async pass(work) {
      if (freeSlots > 0) freeSlots -= 1;
      else if (queue.length >= maxQueued) {
        throw new HearthError("auth.limited", "Too many attempts at once.", {
          hint: "Try again in a second.",
          retryAfterMs: RETRY_MS,
        });
      } else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        releaseSlot();
      }
    },
  };
};
