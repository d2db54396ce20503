/** So many at a time. Whoever comes then waits in line, and is sent away where the line is full. */
import { HearthError } from "@hearth/protocol";

export interface Semaphore {
  /** Does the work when its turn has come. Throws `auth.limited` at once where too many wait. */
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
  const line: (() => void)[] = [];

  const leave = (): void => {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return {
    async pass(work) {
      if (free > 0) free -= 1;
      else if (line.length >= waiting) {
        throw new HearthError("auth.limited", "Too many are at it just now.", {
          hint: "Try again in a second.",
          retryAfterMs: RETRY_MS,
        });
      } else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
