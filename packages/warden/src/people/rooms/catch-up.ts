/** Brings an index up to date before a search, in one run that all callers share. */
import { type Clock, isHearthError } from "@hearth/protocol";
import type { Log } from "../../kernel/index.ts";

/**
 * Contract, checked in catch-up.test.ts:
 * - one run at a time; callers that arrive during a run share it
 * - `isDone` is true only if all that was pending when it was called is indexed
 */
export interface CatchUp {
  /** Indexes what is pending. Resolves early if `signal` aborts. Rejects if the index fails. */
  run(signal?: AbortSignal): Promise<void>;
  /** Waits at most this long. Returns whether the index is up to date. The run continues; failures are logged. */
  isDone(waitMs: number): Promise<boolean>;
}

export interface CatchUpOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  /** The things that are indexed, as a plural for log messages, such as "messages". */
  readonly what: string;
  /** Indexes until nothing is pending or `shouldStop` returns true. Returns whether nothing is pending. */
  readonly index: (shouldStop: () => boolean) => Promise<boolean>;
}

export const createCatchUp = ({ clock, log, what, index }: CatchUpOptions): CatchUp => {
  let currentRun: Promise<boolean> | undefined;
  const startOrJoin = (signal?: AbortSignal): Promise<boolean> =>
    (currentRun ??= index(() => signal?.aborted === true).finally(() => {
      currentRun = undefined;
    }));

  /**
   * Starts a run after the one in progress, which may have read before the last commit, or may end
   * early because of its caller's signal.
   */
  const runToEnd = async (signal?: AbortSignal): Promise<boolean> => {
    await currentRun?.catch(() => false);
    return startOrJoin(signal);
  };

  return {
    run: async (signal) => void (await runToEnd(signal)),

    async isDone(waitMs) {
      const timerAbort = new AbortController();
      const work = runToEnd().catch((error: unknown) => {
        if (!isHearthError(error, "house.closing")) log.write("warn", `cannot index ${what}`, { error });
        return false;
      });
      try {
        return await Promise.race([work, clock.sleep(waitMs, timerAbort.signal).then(() => false)]);
      } finally {
        timerAbort.abort();
      }
    },
  };
};
