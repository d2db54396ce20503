/** Combines calls: the work runs once, after the current turn of the event loop. */
import type { Clock } from "@hearth/protocol";
import { observe } from "./observe.ts";

export const oncePerTurn = (clock: Pick<Clock, "turn">, work: () => void): (() => void) => {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    observe(
      clock.turn().then(() => {
        isDue = false;
        work();
      }),
    );
  };
};
