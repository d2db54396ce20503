/**
 * Wires the parts that queue, run and end activations. After a restart, activations that were
 * queued or running resume from the journal.
 */
import type { Agents, Context } from "../../agents/index.ts";
import type { Cells } from "../../cells/index.ts";
import type { Messaging } from "../../channels/index.ts";
import { createListeners, type Kernel, queueKeyOf, observe, type Row, toActivation } from "../../kernel/index.ts";
import type { Models } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import { type Activation, type ActivationId, type AgentId, lazy, lazyMethods, type RoomId } from "@hearth/protocol";
import { createActivationQueues } from "../queue/activation-queues.ts";
import { createActivationRows } from "../queue/activation-rows.ts";
import { createArrivals } from "../queue/arrivals.ts";
import { createEndWaiters } from "../queue/end-waiters.ts";
import type { Gates } from "../queue/gates.ts";
import { createLifecycle } from "../queue/lifecycle.ts";
import { createRunningActivations } from "../queue/running-activations.ts";
import { createStopping, type Stopping } from "../queue/stopping.ts";
import { createIsHalted } from "../recovery/brain-guard.ts";
import { createRetries } from "../recovery/retries.ts";
import type { Activations } from "./activations.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { createChildren, MESSAGE_DELETED } from "./children.ts";
import { createOutcomes } from "./outcomes.ts";
import { createRunner } from "./runner.ts";

type ActivationRow = Row<"activations">;

export interface ActivationsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly policy: Policy;
  readonly messaging: Messaging;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly context: Context;
  readonly checkpoints: Checkpoints;
  /** The gates of ambient activations. */
  readonly gates: Gates;
}

export interface HouseActivations extends Activations, AsyncDisposable {
  /** Accepts activations that have just become durable. */
  wake(rows: readonly ActivationRow[]): void;
  /** Resumes what an earlier daemon left queued or running. */
  recover(): Promise<void>;
  /** Stops the activations of an agent, of a room or of a message that are not over. */
  readonly stopAll: Stopping["stopAll"];
  /**
   * Stops the activations of room messages before this offset, because of a stop message in the
   * room.
   */
  stopBefore(room: RoomId, offset: number): Promise<void>;
  /** Stops the running activations of one agent or of all, and leaves queued ones queued. */
  stopRunning(agent?: AgentId): Promise<void>;
  /** Puts an activation back into its lane after a person's decision was stored. */
  enqueueDecided(id: ActivationId): Promise<void>;
  /** Resumes a waiting activation after a decision. Returns whether it was waiting. */
  resume(id: ActivationId): Promise<boolean>;
  /** Loads the modules of a run, so that the first activation does not wait for them. Never rejects. */
  warm(): Promise<void>;
}

export const createActivations = (options: ActivationsOptions): HouseActivations => {
  const { kernel, people, policy, messaging, cells, agents, context, checkpoints, gates } = options;
  const { world, log, store, streams, journal } = kernel;
  const { records, rooms, uploads, voiceChoices } = people;
  const { holds, budgets, approvals } = policy;
  const { leakScan } = policy.chokePoint;
  const { inbox, brains } = agents;
  const { outbox, typing } = messaging;
  const closeController = new AbortController();
  const { signal } = closeController;

  const rows = createActivationRows({ store, journal, egress: cells.egress });
  const { find } = rows;
  const endWaiters = createEndWaiters(find);
  const running = createRunningActivations();
  const endListeners = createListeners<ActivationId>();
  endListeners.add(endWaiters.notifyEnded);
  endListeners.add(budgets.forgetTurn);
  endListeners.add(journal.forget);
  endListeners.add(running.clearMark);

  const lifecycle = createLifecycle({
    kernel,
    records,
    rooms,
    uploads,
    voiceChoices,
    inbox,
    outbox,
    approvals,
    context,
    checkpoints,
  });
  const lanes = createActivationQueues<ActivationRow>(({ agent }) => holds.isHeld(agent));
  holds.onChange(lanes.wake);
  const arrivals = createArrivals({ kernel, records, lanes, running, lifecycle, onReplaced: endListeners.notify });
  const { enqueue, delayed } = arrivals;
  const retries = createRetries({ world, log, store, lifecycle, find, enqueue });
  const outcomes = createOutcomes({
    kernel,
    lifecycle,
    retries,
    rows,
    enqueue,
    onOver: endListeners.notify,
    closing: signal,
  });
  const stopping = createStopping({
    store,
    rows,
    lanes,
    delayed,
    running,
    endWaiters,
    outcomes,
    closing: signal,
  });
  const { stop } = stopping;
  const children = createChildren({
    now: world.clock.now,
    store,
    streams,
    journal,
    inbox,
    enqueue,
    waitForEnd: endWaiters.waitForEnd,
    stop,
  });
  outcomes.onUnanswered(children.stopChildrenOf);
  // The modules are loaded at the first activation, or when the started house is idle.
  const loadRun = lazy(async () => {
    const [{ createActivationRun }, { createIntake }] = await Promise.all([
      import("./activation-run.ts"),
      import("./intake.ts"),
    ]);
    const intake = createIntake({
      store,
      journal,
      context,
      lifecycle,
      lanes,
      queueKeyOf,
      onMerged: endListeners.notify,
    });
    return createActivationRun({ ...options, lifecycle, intake, children });
  });
  const runner = createRunner({
    kernel,
    leakScan,
    rows,
    lanes,
    running,
    isHalted: createIsHalted({ log, records, brains, holds }),
    gates,
    lifecycle,
    retries,
    outcomes,
    attempt: async (...run) => (await loadRun())(...run),
    closing: signal,
  });
  lanes.serve(runner.run);
  runner.onRun((row, shown) => {
    // An ambient activation shows no typing indicator, because it may end without a reply.
    if (row.parent === null && row.trigger !== "ambient")
      observe(typing.show(row.cause, shown), log, "could not show the typing indicator");
  });
  const activationLog = lazy(async () =>
    (await import("./activation-log.ts")).createActivationLog({ store, journal, leakScan }),
  );

  const wait = async (id: ActivationId, until: AbortSignal): Promise<Activation> => {
    const row = await endWaiters.waitForEnd(id, until);
    // The activation that merged it determines the result.
    return row.merged_into === null || until.aborted ? toActivation(row) : wait(row.merged_into, until);
  };

  return {
    ...lazyMethods(activationLog, ["list", "detail"]),
    wake: arrivals.wake,
    recover: arrivals.recover,
    get: async (id) => toActivation(await find(id)),
    stop: (id) => stop(id),
    retry: retries.retry,
    stopAll: stopping.stopAll,
    stopBefore: (room, before) => stopping.stopAll({ room }, { before }),
    stopRunning: stopping.stopRunning,
    stopWoken: (message) => stopping.stopAll({ cause: message }, { reason: MESSAGE_DELETED }),
    async enqueueDecided(id) {
      const row = await find(id);
      if (row.state === "queued") enqueue(row);
    },
    async resume(id) {
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "activations", where: { id, state: "waiting" } }],
        writes: [{ kind: "update", table: "activations", where: { id }, set: { state: "queued", crashes: 0 } }],
      });
      if (kind !== "committed") return false;
      enqueue(await find(id));
      return true;
    },
    wait,
    counts: lanes.counts,
    async warm() {
      // The first activation tries again and reports the failure.
      await loadRun().catch(() => {});
    },

    async [Symbol.asyncDispose]() {
      closeController.abort();
      delayed.close();
      for (const { abort } of running.all()) abort.abort();
      await lanes.drained();
    },
  };
};
