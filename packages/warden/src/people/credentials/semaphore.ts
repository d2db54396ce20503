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
  atOnce,
  waiting,
}: {
  readonly atOnce: number;
  readonly waiting: number;
}): Semaphore => {
  let free = atOnce;
  const queue: (() => void)[] = [];

  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return {
    async pass(work) {
      if (free > 0) free -= 1;
      else if (queue.length >= waiting) {
        throw new HearthError("auth.limited", "Too many attempts at once.", {
          hint: "Try again in a second.",
          retryAfterMs: RETRY_MS,
        });
      } else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
