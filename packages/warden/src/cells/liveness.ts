/**
 * Notices that an inmate's process no longer answers while an activation runs in its cell: it pings, and waits for the answer. Time counts in
 * intervals, so that a suspended machine costs one of them and not the cell.
 */
import type { Clock } from "@hearth/protocol";

export interface Liveness extends Disposable {
  /** An activation runs in the cell. */
  begin(): void;
  /** None does any more. */
  end(): void;
}

export interface LivenessOptions {
  readonly clock: Pick<Clock, "sleep">;
  /** Resolves when the process has answered. */
  readonly ping: () => Promise<void>;
  /** Longest time from a freeze to `failed`. */
  readonly deadlineMs: number;
  /** Called once, with the reason. */
  readonly failed: (why: string) => void;
}

/** Longest time that a frozen process goes unnoticed. */
export const ANSWER_MS = 20_000;
/** The same for a machine of its own, which may be emulated and copies its workspace meanwhile. */
export const MACHINE_ANSWER_MS = 60_000;
/** One to send the ping, the others to wait for its answer. */
const INTERVALS = 4;

export const createLiveness = ({ clock, ping, deadlineMs, failed }: LivenessOptions): Liveness => {
  let watching: AbortController | undefined;

  const watch = async (signal: AbortSignal): Promise<void> => {
    let isAnswered = true;
    for (let missed = 0; missed < INTERVALS - 1;) {
      await clock.sleep(deadlineMs / INTERVALS, signal);
      if (signal.aborted) return;
      if (!isAnswered) {
        missed += 1;
        continue;
      }
      [isAnswered, missed] = [false, 0];
      const answered = (): void => {
        isAnswered = true;
      };
      // A link that breaks ends the cell by itself.
      ping().then(answered, answered);
    }
    failed(`it did not answer for ${Math.round(deadlineMs / 1000)} s`);
  };

  const end = (): void => {
    watching?.abort();
    watching = undefined;
  };

  return {
    begin() {
      if (watching !== undefined) return;
      watching = new AbortController();
      watch(watching.signal).catch(() => failed("its answers to pings could not be watched"));
    },
    end,
    [Symbol.dispose]: end,
  };
};
