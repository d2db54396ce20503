/**
 * Notices that an inmate's process no longer answers while an activation runs in its cell. It sends
 * pings and waits for the answers. Time counts in intervals, so a suspension of the machine costs
 * one interval and does not end the cell.
 */
import type { Clock } from "@hearth/protocol";

export interface Liveness extends Disposable {
  /** Called when the first activation begins in the cell. */
  begin(): void;
  /** Called when no activation runs in the cell any longer. */
  end(): void;
}

export interface LivenessOptions {
  readonly clock: Pick<Clock, "sleep">;
  /** Sends a ping. Resolves when the process has answered. */
  readonly ping: () => Promise<void>;
  /** Maximum time from a freeze to `onFailure`. */
  readonly deadlineMs: number;
  /** Called once, with the reason. */
  readonly onFailure: (why: string) => void;
}

/** Maximum time that a frozen process goes unnoticed. */
export const ANSWER_DEADLINE_MS = 20_000;
/**
 * Maximum time that a frozen virtual machine goes unnoticed. It may be emulated and busy with a
 * copy of its workspace.
 */
export const MACHINE_ANSWER_DEADLINE_MS = 60_000;
/** Number of intervals per deadline: one to send the ping, the others to wait for its answer. */
const INTERVALS_PER_DEADLINE = 4;

export const createLiveness = ({ clock, ping, deadlineMs, onFailure }: LivenessOptions): Liveness => {
  let watchController: AbortController | undefined;

  const watch = async (signal: AbortSignal): Promise<void> => {
    let isAnswered = true;
    for (let missedCount = 0; missedCount < INTERVALS_PER_DEADLINE - 1;) {
      await clock.sleep(deadlineMs / INTERVALS_PER_DEADLINE, signal);
      if (signal.aborted) return;
      if (!isAnswered) {
        missedCount += 1;
        continue;
      }
      [isAnswered, missedCount] = [false, 0];
      const markAnswered = (): void => {
        isAnswered = true;
      };
      // A broken link ends the cell elsewhere.
      ping().then(markAnswered, markAnswered);
    }
    onFailure(`it did not answer for ${Math.round(deadlineMs / 1000)} s`);
  };

  const end = (): void => {
    watchController?.abort();
    watchController = undefined;
  };

  return {
    begin() {
      if (watchController !== undefined) return;
      watchController = new AbortController();
      watch(watchController.signal).catch(() => onFailure("its answers to pings could not be watched"));
    },
    end,
    [Symbol.dispose]: end,
  };
};
