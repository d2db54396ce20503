/**
 * Stores a new version of the brain after a turn whose tools may have changed the workspace. It
 * runs in the background. If a crash prevents a checkpoint, the next one includes the changes.
 */
import type { Brains } from "../../agents/index.ts";
import type { Records } from "../../people/index.ts";
import type { Log, Row } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, OWNER_LABEL } from "@hearth/protocol";

/** Disposing waits for checkpoints that have begun. */
export interface Checkpoints extends AsyncDisposable {
  /** Records that a tool of this activation may have written to the workspace. */
  markTouched(activation: ActivationId): void;
  /** Starts a checkpoint if a tool of this activation, which is over, was marked. Never throws. */
  checkpointAfter(row: Row<"activations">): void;
}

export const createCheckpoints = ({
  log,
  records,
  brains,
}: {
  readonly log: Log;
  readonly records: Pick<Records, "find">;
  readonly brains: Pick<Brains, "open">;
}): Checkpoints => {
  const touched = new Set<ActivationId>();
  const runningCheckpoints = new Set<Promise<void>>();

  const commitCheckpoint = async (agent: AgentId, activation: ActivationId): Promise<void> => {
    try {
      const record = await records.find("agent", agent);
      if (record === undefined) return;
      await (await brains.open(record)).checkpoint({ agent, activation, label: OWNER_LABEL });
    } catch (error) {
      log.write("error", "could not store what a turn left in the workspace; the next checkpoint includes it", {
        activation,
        error,
      });
    }
  };

  return {
    markTouched: (activation) => void touched.add(activation),
    checkpointAfter({ id: activation, agent }) {
      if (!touched.delete(activation)) return;
      const checkpoint = commitCheckpoint(agent, activation);
      runningCheckpoints.add(checkpoint);
      const remove = (): boolean => runningCheckpoints.delete(checkpoint);
      checkpoint.then(remove, remove);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(runningCheckpoints);
    },
  };
};
