/** The activations that run now, and those that were stopped while they were in no lane. */
import type { Row } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";
import type { Ended } from "../run/endings/ended.ts";

type ActivationRow = Row<"activations">;

/** Stops a run. `instead` says how the run ends when a person did not stop it. */
export interface Stopper {
  readonly row: ActivationRow;
  readonly abort: AbortController;
  instead?: Ended | undefined;
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
  /** Marks an activation that was stopped while briefly in no lane. It ends when it arrives. */
  doom(id: ActivationId, why: StopReason): void;
  doomOf(id: ActivationId): StopReason | undefined;
  /** The activation is over, so the mark has no use. */
  forget(id: ActivationId): void;
}

export const createRunningActivations = (): RunningActivations => {
  const stoppers = new Map<ActivationId, Stopper>();
  const doomed = new Map<ActivationId, StopReason>();
  return {
    begin(row) {
      const stopper: Stopper = { row, abort: new AbortController() };
      stoppers.set(row.id, stopper);
      return stopper;
    },
    end: ({ id }) => void stoppers.delete(id),
    of: (id) => stoppers.get(id),
    all: () => [...stoppers.values()],
    doom: (id, why) => void doomed.set(id, why),
    doomOf: (id) => doomed.get(id),
    forget: (id) => void doomed.delete(id),
  };
};
