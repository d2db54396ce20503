/** Detects steps of the wall clock: changes that differ from the elapsed time. */
import type { Clock } from "@hearth/protocol";
import { CORRECTION_MS } from "./next-slot.ts";

/**
 * Returns the function that returns the step since its previous call, or 0 for a usual correction.
 */
export const createJumpCheck = (clock: Pick<Clock, "now" | "monotonic">): (() => number) => {
  let [wall, monotonic] = [clock.now(), clock.monotonic()];
  return () => {
    const stepMs = clock.now() - wall - (clock.monotonic() - monotonic);
    [wall, monotonic] = [clock.now(), clock.monotonic()];
    return Math.abs(stepMs) < CORRECTION_MS ? 0 : stepMs;
  };
};
