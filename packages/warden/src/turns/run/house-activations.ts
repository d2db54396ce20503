/**
 * The activations of this house: queued in lanes, run in cells, and ended in one commit with their
 * reply. After a restart, queued and running activations resume from the journal.
 */
import {
  usageOf,
  observe,
  isOver,
  isQuiet,
  laneOf,
  lostUsage,
  toActivation,
  type Lease,
  type Leases,
  type Row,
} from "../../kernel/index.ts";
import type { Budgets, Holds } from "../../policy/index.ts";
import {
  type Activation,
  type ActivationId,
  addUsage,
  type AgentId,
  DEFAULT_QUEUE_MODE,
  type EventId,
  HearthError,
  isHearthError,
  noUsage,
  type RoomId,
  toErrorBody,
  type Usage,
} from "@hearth/protocol";
import type { Typing } from "../../channels/index.ts";
import { createActivationLog } from "./activation-log.ts";
import type { Activations } from "./activations.ts";
import { createChildren, DELETED } from "./children.ts";
import type { Gates } from "../queue/gates.ts";
import { createIsHalted } from "../recovery/halted.ts";
import { createIntake } from "./intake.ts";
import { createKeepOutcome, FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from "../recovery/keep-outcome.ts";
import { createActivationQueues } from "../queue/activation-queues.ts";
import { type ActivationRunOptions, createLazyActivationRun, type LazyActivationRun } from "./lazy-run.ts";
import { type Ended, toStopped } from "./endings.ts";
import { createLifecycle, partialOf } from "../queue/lifecycle.ts";
import type { Outcome } from "./run.ts";
import { createRetries, isOfDisk, STOPPED } from "../recovery/retries.ts";
import { createDelayedActivations } from "../queue/delayed.ts";
import { createEndWaiters } from "../queue/end-waiters.ts";

type ActivationRow = Row<"activations">;

export interface ActivationsOptions extends Omit<ActivationRunOptions, "lifecycle" | "intake" | "children"> {
  readonly leases: Leases;
  readonly holds: Holds;
  readonly budgets: Pick<Budgets, "over" | "report">;
  readonly typing: Typing;
  /** The gates of ambient activations. */
  readonly gates: Gates;
}

export interface HouseActivations extends Activations, AsyncDisposable, Pick<LazyActivationRun, "warm"> {
  /** Accepts activations that have just become durable. */
  wake(rows: readonly ActivationRow[]): void;
  /** Resumes what an earlier daemon left queued or running. */
  recover(): Promise<void>;
  /** Stops everything that is queued, waiting or running for an agent, or in a room. */
  stopAll(where: { readonly agent: AgentId } | { readonly room: RoomId }): Promise<void>;
  /**
   * Stops the activations of room messages before this offset, because of a stop message in the
   * room.
   */
  stopBefore(room: RoomId, offset: number): Promise<void>;
  /** Stops what runs and leaves what is queued, for one agent or for all. */
  stopRunning(agent?: AgentId): Promise<void>;
  /** Puts an activation whose decision is stored back into its lane. */
  takeUp(id: ActivationId): Promise<void>;
  /** Resumes a waiting activation after a decision. Returns whether it was waiting. */
  resume(id: ActivationId): Promise<boolean>;
}

/** Stops a run. `instead` says how the run ends when a person did not stop it. */
interface Stopper {
  readonly row: ActivationRow;
  readonly abort: AbortController;
  instead?: Ended | undefined;
}

export const createActivations = (options: ActivationsOptions): HouseActivations => {
  const { world, log, store, records, journal, leases, holds } = options;
  const lifecycle = createLifecycle(options);
  const stoppers = new Map<ActivationId, Stopper>();
  /** Activations that were stopped while briefly in no lane. They end when they arrive. */
  const doomed = new Map<ActivationId, { readonly reason?: string }>();
  const closing = new AbortController();
  const isHalted = createIsHalted(options);

  const find = async (id: ActivationId): Promise<ActivationRow> => {
    const [row] = await store.select({ table: "activations", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
      hint: "To list activations: hearth activation list",
    });
  };

  /** The cost of a parked activation so far. */
  const spentBy = async (id: ActivationId): Promise<Usage> =>
    addUsage(
      addUsage(lostUsage(await find(id)), usageOf((await journal.load(id)).values())),
      await options.egress.took(id),
    );

  const waits = createEndWaiters(find);
  const lanes = createActivationQueues<ActivationRow>(
    (row) => (closing.signal.aborted ? Promise.resolve() : run(row)),
    ({ agent }) => holds.isHeld(agent as AgentId),
  );
  holds.onChange(lanes.wake);
  const unready = createDelayedActivations(world.clock, (row) => enqueue(row));
  const intake = createIntake({ ...options, lifecycle, lanes, laneOf, taken: (id) => tellOver(id) });
  const children = createChildren({
    ...{ ...options, now: world.clock.now, untilOver: waits.untilOver },
    enqueue: (row) => enqueue(row),
    stop: (id, why) => stop(id, why),
  });
  const { attempt, warm } = createLazyActivationRun({ ...options, lifecycle, intake, children });

  const retries = createRetries({ world, log, store, lifecycle, find, enqueue: (row) => enqueue(row) });

  const end = async (row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease): Promise<void> => {
    const requeued = outcome.kind === "failed" && outcome.isGivenUp === true ? await retries.requeue(row) : [];
    await lifecycle.end(row, outcome, usage, lease, requeued);
    for (const { fresh } of requeued) enqueue(fresh);
    if (outcome.kind !== "reply") await children.stopOf(row.id as ActivationId);
    tellOver(row.id as ActivationId);
  };

  const keep = createKeepOutcome({
    ...{ world, log, store, lifecycle, find, end, closing: closing.signal },
    enqueue: (row) => enqueue(row),
  });

  const tellOver = (id: ActivationId): void => {
    waits.tell(id);
    options.budgets.over(id);
    journal.forget(id);
    doomed.delete(id);
  };

  const run = async (row: ActivationRow): Promise<void> => {
    const id = row.id as ActivationId;
    const isHeld = !doomed.has(id) && (await isHalted(row));
    if (closing.signal.aborted) return;
    const doom = doomed.get(id);
    if (doom !== undefined) return keep(row, { kind: "stopped", ...doom }, noUsage);
    if (isHeld) return lanes.giveBack(laneOf(row), [row]);
    const stopper: Stopper = { row, abort: new AbortController() };
    stoppers.set(id, stopper);
    const over = new AbortController();
    // An ambient activation shows no typing indicator, because it may end without a reply.
    if (row.parent === null && row.trigger !== "ambient")
      observe(options.typing.show(row.cause as EventId, over.signal), log, "could not show the typing indicator");
    try {
      await untilKept(row, stopper, over);
    } catch (error) {
      if (!isHearthError(error, "lease.lost")) throw error;
      leave(row, stopper);
    } finally {
      over.abort();
      stoppers.delete(id);
    }
  };

  /**
   * Runs the activation to its end. While the disk refuses writes it waits, and then resumes from
   * its journal.
   */
  const untilKept = async (row: ActivationRow, stopper: Stopper, over: AbortController): Promise<void> => {
    const { signal } = stopper.abort;
    let usage = noUsage;
    for (let pauseMs = FIRST_PAUSE_MS, now = row; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      let lease: Lease | undefined;
      let outcome: Outcome | Ended;
      try {
        if (now.started_at !== null) now = await lifecycle.withProgress(now);
        await retries.untilDue(now, signal);
        // It stays as it is when the daemon closes.
        if (signal.aborted && (now.retry_at > 0 || now.crashes > 0)) {
          return await keep(now, stopper.instead ?? STOPPED, await spentBy(row.id as ActivationId));
        }
        lease = await leases.hold(row.agent as AgentId);
        const passed = await options.gates.pass(now, lease, signal);
        if (passed.kind === "over") return tellOver(row.id as ActivationId);
        outcome = passed.kind === "on" ? await attempt(passed.row, lease, signal, (spent) => (usage = spent)) : passed;
        if (outcome.kind === "retry") {
          const next = signal.aborted ? STOPPED : await retries.postpone(now, outcome, lease);
          if (next.kind === "over") return tellOver(row.id as ActivationId);
          if (next.kind === "postponed") {
            over.abort();
            [now, pauseMs] = [next.row, FIRST_PAUSE_MS / 2];
            continue;
          }
          outcome = next;
        }
        if (outcome.kind === "stopped") outcome = toStopped(outcome, stopper.instead);
      } catch (error) {
        if (isHearthError(error, "lease.lost")) throw error;
        if (isOfDisk(error) && !signal.aborted) {
          log.write("error", "the disk refuses writes; an activation waits for it", { activation: row.id, error });
          await world.clock.sleep(pauseMs, signal);
          // The disk may hold more than this process knew. Waiting is not a crash, so `crashes`
          // stays.
          now = { ...(await find(row.id as ActivationId).catch(() => now)), crashes: now.crashes };
          continue;
        }
        if (!isHearthError(error)) log.write("error", "an activation broke", { activation: row.id, error });
        outcome = signal.aborted
          ? (stopper.instead ?? { kind: "stopped" })
          : { kind: "failed", error: options.chokePoint.leaks.error(toErrorBody(error)) };
      }
      over.abort();
      await keep(now, outcome, usage, lease);
      // It was stopped while it parked itself, so it waits for no decision.
      if (outcome.kind === "waiting" && signal.aborted)
        await keep(now, toStopped(outcome, stopper.instead), usage, lease);
      return;
    }
  };

  /** Another daemon holds this agent's lease now and runs its activations. */
  const leave = (row: ActivationRow, { abort }: Stopper): void => {
    log.write("warn", "another daemon continues an activation", { activation: row.id });
    leases.forget(row.agent as AgentId);
    abort.abort();
  };

  const enqueue = (row: ActivationRow): void => {
    // An ambient activation is not announced, because it may never run.
    if (row.ready_at === 0) lifecycle.queued(row);
    if (doomed.has(row.id as ActivationId))
      return observe(run(row), log, "could not end a stopped activation", { activation: row.id });
    lanes.add(laneOf(row), row);
  };

  /**
   * An ambient activation waits for its silence and replaces a waiting or queued ambient one,
   * unless that one's gates have begun.
   */
  const takeIn = (row: ActivationRow): void => {
    if (!isQuiet(row)) return enqueue(row);
    for (const { id } of lanes.take(laneOf(row), isQuiet)) tellOver(id as ActivationId);
    unready.add(laneOf(row), row);
  };

  /**
   * In the queue mode `interrupt`, the newer message replaces the running activation and answers
   * both.
   */
  const interrupt = async (row: ActivationRow): Promise<void> => {
    const running = [...stoppers.values()].find(
      ({ row: other }) => laneOf(other) === laneOf(row) && other.person === row.person && other.id !== row.id,
    );
    if (running === undefined || running.abort.signal.aborted) return;
    const agent = await records.find("agent", row.agent);
    if ((agent?.content.queue ?? DEFAULT_QUEUE_MODE) !== "interrupt") return;
    // The running activation may have merged the newer one meanwhile. Interrupting it then would
    // merge each into the other, and neither would reply.
    if (!lanes.has(laneOf(row), ({ id }) => id === row.id)) return;
    running.instead = { kind: "merged", into: row.id as ActivationId };
    running.abort.abort();
  };

  const wait = async (id: ActivationId, signal: AbortSignal): Promise<Activation> => {
    const row = await waits.untilOver(id, signal);
    // The activation that merged it determines the result.
    return row.merged_into === null || signal.aborted
      ? toActivation(row)
      : wait(row.merged_into as ActivationId, signal);
  };

  const stop = async (id: ActivationId, why: { readonly reason?: string } = {}): Promise<Activation> => {
    const row = await find(id);
    if (isOver(row.state)) return toActivation(row);
    const queued = lanes.take(laneOf(row), (other) => other.id === id)[0] ?? unready.take(id);
    const stopper = stoppers.get(id);
    if (queued !== undefined) await keep(queued, { kind: "stopped", ...why }, noUsage);
    else if (stopper !== undefined && !stopper.abort.signal.aborted) {
      stopper.instead = { kind: "stopped", ...why };
      stopper.abort.abort();
    } else if (stopper === undefined) {
      doomed.set(id, why); // It may have parked itself, or ended, since it was looked up.
      const now = await find(id);
      if (now.state === "waiting")
        await end(now, toStopped(partialOf(now), { kind: "stopped", ...why }), await spentBy(id));
      else if (isOver(now.state)) doomed.delete(id);
    }
    return toActivation(await waits.untilOver(id, closing.signal));
  };

  const stopThose = async (
    where: { readonly agent: AgentId } | { readonly room: RoomId } | { readonly cause: EventId },
    { before = Infinity, ...why }: { readonly reason?: string; readonly before?: number } = {},
  ): Promise<void> => {
    const rows = await store.select({ table: "activations", where: { ...where, ended_at: null } });
    const those = rows.filter(({ cause_offset }) => cause_offset < before);
    // An activation that waits for a silence may be replaced by a later message while it is being
    // stopped.
    await Promise.all(those.map((row) => stop(row.id as ActivationId, why).catch(unlessGone)));
  };

  return {
    wake(rows) {
      for (const row of rows) {
        takeIn(row);
        if (row.ready_at === 0)
          observe(interrupt(row), log, "could not interrupt an activation for a newer message", { activation: row.id });
      }
    },

    async recover() {
      const rows = await store.select({
        table: "activations",
        where: { ended_at: null },
        // In the order of the room, whatever the wall clock said. If a later one ran first, it
        // would read the earlier message twice.
        order: [{ column: "cause_offset" }],
      });
      for (const row of rows) if (row.state !== "waiting") takeIn(row);
      if (rows.length > 0) log.write("info", "resumed activations of an earlier daemon", { count: rows.length });
    },

    ...{ ...createActivationLog(options), warm },
    get: async (id) => toActivation(await find(id)),

    stop: (id) => stop(id),
    retry: retries.retry,
    stopAll: (where) => stopThose(where),
    stopBefore: (room, before) => stopThose({ room }, { before }),
    async stopRunning(agent) {
      const those = [...stoppers.keys()].filter((id) => agent === undefined || stoppers.get(id)?.row.agent === agent);
      await Promise.all(those.map((id) => stop(id)));
    },
    async takeUp(id) {
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
    stopWoken: (message) => stopThose({ cause: message }, { reason: DELETED }),

    wait,
    counts: () => lanes.counts(),

    async [Symbol.asyncDispose]() {
      closing.abort();
      unready.close();
      for (const { abort } of stoppers.values()) abort.abort();
      await lanes.drained();
    },
  };
};

const unlessGone = (error: unknown): void => {
  if (!isHearthError(error, "activation.not-found")) throw error;
};
