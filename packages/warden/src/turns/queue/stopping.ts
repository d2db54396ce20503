/** Stops activations, whether they wait, run or are between the two. */
import { isOver, queueKeyOf, type Row, type Store, toActivation } from "../../kernel/index.ts";
import {
  type Activation,
  type ActivationId,
  type AgentId,
  type EventId,
  isHearthError,
  noUsage,
  type RoomId,
} from "@hearth/protocol";
import { toStopped } from "../run/endings/ended.ts";
import type { Outcomes } from "../run/outcomes.ts";
import type { ActivationQueues } from "./activation-queues.ts";
import type { ActivationRows } from "./activation-rows.ts";
import type { DelayedActivations } from "./delayed.ts";
import type { EndWaiters } from "./end-waiters.ts";
import { partialOf } from "./lifecycle.ts";
import type { RunningActivations, StopReason } from "./running.ts";

type ActivationRow = Row<"activations">;

export interface StoppingOptions {
  readonly store: Pick<Store, "select">;
  readonly rows: ActivationRows;
  readonly lanes: ActivationQueues<ActivationRow>;
  readonly delayed: Pick<DelayedActivations, "take">;
  readonly running: RunningActivations;
  readonly waits: Pick<EndWaiters, "untilOver">;
  readonly outcomes: Outcomes;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}

export type StoppedWhere =
  | { readonly agent: AgentId }
  | { readonly room: RoomId }
  /** The message that woke them. */
  | { readonly cause: EventId };

export interface Stopping {
  /** Resolves when nothing of it runs. No effect on one that is over. */
  stop(id: ActivationId, why?: StopReason): Promise<Activation>;
  /** Stops everything that is queued, waiting or running there, for messages before that offset. */
  stopAll(where: StoppedWhere, why?: StopReason & { readonly before?: number }): Promise<void>;
  /** Stops what runs and leaves what is queued, for one agent or for all. */
  stopRunning(agent?: AgentId): Promise<void>;
}

export const createStopping = (options: StoppingOptions): Stopping => {
  const { store, rows, lanes, delayed, running, waits, outcomes, closing } = options;

  const stop: Stopping["stop"] = async (id, why = {}) => {
    const row = await rows.find(id);
    if (isOver(row.state)) return toActivation(row);
    const queued = lanes.take(queueKeyOf(row), (other) => other.id === id)[0] ?? delayed.take(id);
    const stopper = running.of(id);
    if (queued !== undefined) await outcomes.keep(queued, { kind: "stopped", ...why }, noUsage);
    else if (stopper !== undefined && !stopper.abort.signal.aborted) {
      stopper.instead = { kind: "stopped", ...why };
      stopper.abort.abort();
    } else if (stopper === undefined) {
      running.doom(id, why); // It may have parked itself, or ended, since it was looked up.
      const now = await rows.find(id);
      if (now.state === "waiting")
        await outcomes.end(now, toStopped(partialOf(now), { kind: "stopped", ...why }), await rows.spentBy(id));
      else if (isOver(now.state)) running.forget(id);
    }
    return toActivation(await waits.untilOver(id, closing));
  };

  return {
    stop,
    async stopAll(where, { before = Infinity, ...why } = {}) {
      const open = await store.select({ table: "activations", where: { ...where, ended_at: null } });
      const those = open.filter(({ cause_offset }) => cause_offset < before);
      // An activation that waits for a silence may be replaced by a later message while it is being
      // stopped.
      await Promise.all(those.map((row) => stop(row.id, why).catch(unlessGone)));
    },
    async stopRunning(agent) {
      const those = running.all().filter(({ row }) => agent === undefined || row.agent === agent);
      await Promise.all(those.map(({ row }) => stop(row.id)));
    },
  };
};

const unlessGone = (error: unknown): void => {
  if (!isHearthError(error, "activation.not-found")) throw error;
};
