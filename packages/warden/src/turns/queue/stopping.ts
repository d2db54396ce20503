/** Stops activations that are queued, waiting or running. */
import { hasEnded, queueKeyOf, type Row, type Store, toActivation } from "../../kernel/index.ts";
import {
  type Activation,
  type ActivationId,
  type AgentId,
  type EventId,
  isHearthError,
  noUsage,
  type RoomId,
} from "@hearth/protocol";
import { toStopped } from "../run/endings/final-state.ts";
import type { Outcomes } from "../run/outcomes.ts";
import type { ActivationQueues } from "./activation-queues.ts";
import type { ActivationRows } from "./activation-rows.ts";
import type { DelayedActivations } from "./delayed-activations.ts";
import type { EndWaiters } from "./end-waiters.ts";
import { partialOf } from "./lifecycle.ts";
import type { RunningActivations, StopReason } from "./running-activations.ts";

type ActivationRow = Row<"activations">;

export interface StoppingOptions {
  readonly store: Pick<Store, "select">;
  readonly rows: ActivationRows;
  readonly lanes: ActivationQueues<ActivationRow>;
  readonly delayed: Pick<DelayedActivations, "take">;
  readonly running: RunningActivations;
  readonly endWaiters: Pick<EndWaiters, "waitForEnd">;
  readonly outcomes: Outcomes;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}

export type StopFilter =
  | { readonly agent: AgentId }
  | { readonly room: RoomId }
  /** Activations that this message woke. */
  | { readonly cause: EventId };

export interface Stopping {
  /** Stops the activation. Resolves when it is over. Does nothing if it is already over. */
  stop(id: ActivationId, why?: StopReason): Promise<Activation>;
  /**
   * Stops the matching activations that are not over. `before` selects only the activations of
   * messages before this offset.
   */
  stopAll(filter: StopFilter, why?: StopReason & { readonly before?: number }): Promise<void>;
  /** Stops the running activations of one agent or of all, and leaves queued ones queued. */
  stopRunning(agent?: AgentId): Promise<void>;
}

export const createStopping = (options: StoppingOptions): Stopping => {
  const { store, rows, lanes, delayed, running, endWaiters, outcomes, closing } = options;

  const stop: Stopping["stop"] = async (id, why = {}) => {
    const row = await rows.find(id);
    if (hasEnded(row.state)) return toActivation(row);
    const queuedRow = lanes.take(queueKeyOf(row), (other) => other.id === id)[0] ?? delayed.take(id);
    const stopper = running.of(id);
    if (queuedRow !== undefined) await outcomes.persist(queuedRow, { kind: "stopped", ...why }, noUsage);
    else if (stopper !== undefined && !stopper.abort.signal.aborted) {
      stopper.endInstead = { kind: "stopped", ...why };
      stopper.abort.abort();
    } else if (stopper === undefined) {
      // The activation is between a lane and a run, or it began to wait or ended since `find`.
      running.markStopped(id, why);
      const currentRow = await rows.find(id);
      if (currentRow.state === "waiting")
        await outcomes.end(
          currentRow,
          toStopped(partialOf(currentRow), { kind: "stopped", ...why }),
          await rows.readUsage(id),
        );
      else if (hasEnded(currentRow.state)) running.clearMark(id);
    }
    return toActivation(await endWaiters.waitForEnd(id, closing));
  };

  return {
    stop,
    async stopAll(where, { before = Infinity, ...why } = {}) {
      const openRows = await store.select({ table: "activations", where: { ...where, ended_at: null } });
      const matching = openRows.filter(({ cause_offset }) => cause_offset < before);
      // A later message may delete an activation that waits for a silence before it is stopped.
      await Promise.all(matching.map((row) => stop(row.id, why).catch(ignoreIfGone)));
    },
    async stopRunning(agent) {
      const matching = running.all().filter(({ row }) => agent === undefined || row.agent === agent);
      await Promise.all(matching.map(({ row }) => stop(row.id)));
    },
  };
};

const ignoreIfGone = (error: unknown): void => {
  if (!isHearthError(error, "activation.not-found")) throw error;
};
