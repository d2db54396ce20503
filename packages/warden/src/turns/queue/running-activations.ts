/** Registry of the activations that run, and of those that were stopped before their run began. */
import type { Row } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";
import type { Ended } from "../run/endings/final-state.ts";

type ActivationRow = Row<"activations">;

/**
 * A running activation with the controller that stops it. `endInstead` is the end to commit, unless
 * a person stopped it.
 */
export interface Stopper {
  readonly row: ActivationRow;
  readonly abort: AbortController;
  endInstead?: Ended | undefined;
}

/** Why an activation was stopped. */
export interface StopReason {
  readonly reason?: string;
}

export interface RunningActivations {
  begin(row: ActivationRow): Stopper;
  end(row: ActivationRow): void;
  of(id: ActivationId): Stopper | undefined;
  all(): readonly Stopper[];
  /** Marks an activation that was stopped while it was in no lane. It ends when it is queued. */
  markStopped(id: ActivationId, why: StopReason): void;
  stopReasonOf(id: ActivationId): StopReason | undefined;
  /** Removes the mark of an activation that is over. */
  clearMark(id: ActivationId): void;
}

export const createRunningActivations = (): RunningActivations => {
  const stoppers = new Map<ActivationId, Stopper>();
  const stoppedBeforeRun = new Map<ActivationId, StopReason>();
  return {
    begin(row) {
      const stopper: Stopper = { row, abort: new AbortController() };
      stoppers.set(row.id, stopper);
      return stopper;
    },
    end: ({ id }) => void stoppers.delete(id),
    of: (id) => stoppers.get(id),
    all: () => [...stoppers.values()],
    markStopped: (id, why) => void stoppedBeforeRun.set(id, why),
    stopReasonOf: (id) => stoppedBeforeRun.get(id),
    clearMark: (id) => void stoppedBeforeRun.delete(id),
  };
};
