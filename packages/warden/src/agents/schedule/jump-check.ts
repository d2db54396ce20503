/** Logs changes of the wall clock that differ from the elapsed time. */
import type { Log } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";

/** Smallest step that is logged. Corrections by a time server are smaller. */
const JUMP_MS = 5000;

/** Compares with the previous call. */
export const createJumpCheck = (clock: Pick<Clock, "now" | "monotonic">, log: Log): (() => void) => {
  let [wall, monotonic] = [clock.now(), clock.monotonic()];
  return () => {
    const byMs = clock.now() - wall - (clock.monotonic() - monotonic);
    [wall, monotonic] = [clock.now(), clock.monotonic()];
    if (Math.abs(byMs) < JUMP_MS) return;
    const effect =
      byMs < 0
        ? "no slot fires twice: each job waits until the clock reaches its next stored slot (see Jobs in docs/brain.md)"
        : "missed slots are caught up";
    log.write("warn", `the wall clock was set, or the machine slept; ${effect}`, { byMs });
  };
};
