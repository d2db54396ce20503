/**
 * Activations of this house: queued in lanes, run through a cell, ended in one commit with their reply. What was queued or running
 * when the daemon went away is taken up again from the journal.
 */
import {
  type Activation,
  type ActivationId,
  addUsage,
  type AgentId,
  DEFAULT_QUEUE_MODE,
  type ErrorBody,
  type EventId,
  HearthError,
  isHearthError,
  noUsage,
  type RoomId,
  toErrorBody,
  type Usage,
} from "@hearth/protocol";
import { usageOf } from "../journal/journal.ts";
import type { Lease, Leases } from "../journal/leases.ts";
import type { Budgets } from "../policy/budgets.ts";
import type { Holds } from "../policy/holds.ts";
import type { Typing } from "../outbox/typing.ts";
import type { Row } from "../store/tables.ts";
import { isOver, lostUsage, toActivation } from "./activation.ts";
import { createActivationLog } from "./activation-log.ts";
import type { Activations } from "./activations.ts";
import { createChildren, DELETED } from "./children.ts";
import type { Gates } from "./gates.ts";
import { createIntake } from "./intake.ts";
import { createLanes } from "./lanes.ts";
import { type AttemptOptions, createLateAttempt, type LateAttempt } from "./late-attempt.ts";
import type { Ended } from "./endings.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Outcome } from "./run.ts";
import { createRetries } from "./retries.ts";
import { LONGEST_RETRY_MS, retryDelayMs } from "./retry-policy.ts";
import { createUnready } from "./unready.ts";
import { createWaits } from "./waits.ts";

type ActivationRow = Row<"activations">;

export interface ActivationsOptions extends Omit<AttemptOptions, "lifecycle" | "intake" | "children"> {
  readonly leases: Leases;
  readonly holds: Holds;
  readonly budgets: Pick<Budgets, "over" | "report">;
  readonly typing: Typing;
  /** What stands before ambient ones. */
  readonly gates: Gates;
}

export interface HouseActivations extends Activations, AsyncDisposable, Pick<LateAttempt, "warm"> {
  /** Takes in activations that have just become durable. */
  wake(rows: readonly ActivationRow[]): void;
  /** Takes up what an earlier daemon left queued or running. */
  recover(): Promise<void>;
  /** Stops all that is queued, waiting or running of an agent, or in a room. */
  stopAll(where: { readonly agent: AgentId } | { readonly room: RoomId }): Promise<void>;
  /** Stops what messages of the room before this offset woke: somebody said so there. */
  stopBefore(room: RoomId, offset: number): Promise<void>;
  /** Stops what runs and leaves what is queued: for an agent, or for all. */
  stopRunning(agent?: AgentId): Promise<void>;
  /** It is queued, and in no lane: a decision was kept, and this is told after. */
  takeUp(id: ActivationId): Promise<void>;
  /** A decision was made about what a waiting one waits for: it goes on. Whether it was waiting. */
  resume(id: ActivationId): Promise<boolean>;
}

/** Pauses between attempts to keep an end. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** What ends a run, and what to make of it when it is more than that somebody said stop. */
interface Stopper {
  readonly row: ActivationRow;
  readonly abort: AbortController;
  instead?: Ended | undefined;
}

export const createActivations = (options: ActivationsOptions): HouseActivations => {
  const { world, log, store, records, journal, leases, holds } = options;
  const lifecycle = createLifecycle(options);
  const stoppers = new Map<ActivationId, Stopper>();
  /** Stopped while they were in no lane, as they are for a moment: they end as they come. */
  const doomed = new Map<ActivationId, { readonly reason?: string }>();
  const closing = new AbortController();

  const find = async (id: ActivationId): Promise<ActivationRow> => {
    const [row] = await store.select({ table: "activations", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
      hint: "List them: hearth activation list",
    });
  };

  /** What one that is parked has cost so far. */
  const spentBy = async (id: ActivationId): Promise<Usage> =>
    addUsage(
      addUsage(lostUsage(await find(id)), usageOf((await journal.load(id)).values())),
      await options.egress.took(id),
    );

  const waits = createWaits(find);
  const lanes = createLanes<ActivationRow>(
    (row) => (closing.signal.aborted ? Promise.resolve() : run(row)),
    ({ agent }) => holds.isHeld(agent as AgentId),
  );
  holds.onChange(lanes.wake);
  const unready = createUnready(world.clock, (row) => enqueue(row));
  const intake = createIntake({ ...options, lifecycle, lanes, laneOf, taken: (id) => tellOver(id) });
  const children = createChildren({
    ...{ ...options, now: world.clock.now, untilOver: waits.untilOver },
    enqueue: (row) => enqueue(row),
    stop: (id, why) => stop(id, why),
  });
  const { attempt, warm } = createLateAttempt({ ...options, lifecycle, intake, children });

  const retries = createRetries({ world, store, find, enqueue: (row) => enqueue(row) });

  const end = async (row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease): Promise<void> => {
    const requeued = outcome.kind === "failed" && outcome.isGivenUp === true ? await retries.requeue(row) : [];
    await lifecycle.end(row, outcome, usage, lease, requeued);
    for (const { fresh } of requeued) enqueue(fresh);
    if (outcome.kind !== "reply") await children.stopOf(row.id as ActivationId);
    tellOver(row.id as ActivationId);
  };

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
    // Whom nobody called need not say that it is about to speak: it may not.
    if (row.parent === null && row.trigger !== "ambient") void options.typing.show(row.cause as EventId, over.signal);
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

  /** Whether a hand edit of the agent's brain, found now, halts it: then the message waits, as every later one does. */
  const isHalted = async (row: ActivationRow): Promise<boolean> => {
    const agent = row.started_at === null ? await records.find("agent", row.agent) : undefined;
    if (agent === undefined) return false;
    try {
      await (await options.brains.open(agent)).checkSoul();
    } catch (error) {
      // The activation meets the same failure, and says so to people.
      log.write("warn", "a brain could not be looked at before a turn", { agent: agent.id, error });
    }
    return holds.isHeld(agent.id);
  };

  /** Runs it to its end. A disk that takes nothing makes it wait, and then it goes on from its journal. */
  const untilKept = async (row: ActivationRow, stopper: Stopper, over: AbortController): Promise<void> => {
    const { signal } = stopper.abort;
    let usage = noUsage;
    for (let pauseMs = FIRST_PAUSE_MS, now = row; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      let lease: Lease | undefined;
      let outcome: Outcome | Ended;
      try {
        await untilRetry(now, signal);
        // It stays queued when the daemon closes.
        if (signal.aborted && now.retry_at > 0) {
          return await keep(now, stopper.instead ?? STOPPED, await spentBy(row.id as ActivationId));
        }
        if (now.started_at !== null) now = await lifecycle.withProgress(now);
        lease = await leases.hold(row.agent as AgentId);
        const passed = await options.gates.pass(now, lease, signal);
        if (passed.kind === "over") return tellOver(row.id as ActivationId);
        outcome = passed.kind === "on" ? await attempt(passed.row, lease, signal, (spent) => (usage = spent)) : passed;
        if (outcome.kind === "retry") {
          const next = signal.aborted ? STOPPED : await postpone(now, outcome, lease);
          if (next.kind === "over") return tellOver(row.id as ActivationId);
          if (next.kind === "postponed") {
            over.abort();
            [now, pauseMs] = [next.row, FIRST_PAUSE_MS / 2];
            continue;
          }
          outcome = next;
        }
        if (outcome.kind === "stopped" && stopper.instead !== undefined) outcome = stopper.instead;
      } catch (error) {
        if (isHearthError(error, "lease.lost")) throw error;
        if (isOfDisk(error) && !signal.aborted) {
          log.write("error", "an activation waits for the disk", { activation: row.id, error });
          await world.clock.sleep(pauseMs, signal);
          // The disk may have more than this knew. To wait is not to crash.
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
      // It was stopped while it parked itself: it waits for no decision any more.
      if (outcome.kind === "waiting" && signal.aborted)
        await keep(now, stopper.instead ?? { kind: "stopped" }, usage, lease);
      return;
    }
  };

  /** Waits until the activation may be tried again. A clock that was set does not make it wait for longer than the longest pause. */
  const untilRetry = async ({ retry_at: at }: ActivationRow, signal: AbortSignal): Promise<void> => {
    const leftMs = Math.min(at - world.clock.now(), LONGEST_RETRY_MS);
    if (leftMs > 0) await world.clock.sleep(leftMs, signal);
  };

  /** Queues it for its next try, or makes it fail after the last one. */
  const postpone = async (
    before: ActivationRow,
    { error, usage }: Extract<Outcome, { kind: "retry" }>,
    lease: Lease,
  ): Promise<
    | { readonly kind: "postponed"; readonly row: ActivationRow }
    | { readonly kind: "over" }
    | Extract<Ended, { kind: "failed" }>
  > => {
    const row = await lifecycle.withProgress(before);
    const delayMs = retryDelayMs(row.retries, error);
    if (delayMs === undefined) return { kind: "failed", error: usedUp(error, row.retries) };
    const at = world.clock.now() + delayMs;
    log.write("warn", "an activation will be tried again", { activation: row.id, code: error.code, delayMs });
    const next = await lifecycle.postpone(row, { error, at, usage }, lease);
    return next === undefined ? { kind: "over" } : { kind: "postponed", row: next };
  };

  /** Somebody else works for this agent now: whatever happens to its activations happens there. */
  const leave = (row: ActivationRow, { abort }: Stopper): void => {
    log.write("warn", "an activation goes on in another daemon", { activation: row.id });
    leases.forget(row.agent as AgentId);
    abort.abort();
  };

  /** A disk that is full becomes free again: until then its lane waits. When the daemon closes first, the next one goes on with it. */
  const keep = async (row: ActivationRow, outcome: Outcome | Ended, usage: Usage, lease?: Lease): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (outcome.kind === "waiting" && lease !== undefined) {
          if (!(await lifecycle.park(row, outcome, lease))) enqueue(await find(row.id as ActivationId));
          return;
        }
        if (outcome.kind !== "waiting" && outcome.kind !== "retry") return await end(row, outcome, usage, lease);
        return;
      } catch (error) {
        if (isHearthError(error, "lease.lost")) throw error;
        log.write("error", "an activation's end could not be kept and will be tried again", {
          activation: row.id,
          error,
        });
      }
      await world.clock.sleep(pauseMs, closing.signal);
    }
    await spare(row);
  };

  /** It ends with the daemon, in order: that is no crash. If it cannot be written it counts as one, which only costs a life. */
  const spare = async (row: ActivationRow): Promise<void> => {
    const set = { crashes: row.crashes };
    try {
      await store.commit({
        writes: [{ kind: "update", table: "activations", where: { id: row.id, ended_at: null }, set }],
      });
    } catch (error) {
      log.write("warn", "the disk took no more when the daemon closed", { activation: row.id, error });
    }
  };

  const enqueue = (row: ActivationRow): void => {
    // Nobody watches for what may come to nothing.
    if (row.ready_at === 0) lifecycle.queued(row);
    if (doomed.has(row.id as ActivationId)) return void run(row);
    lanes.add(laneOf(row), row);
  };

  /** An ambient one waits for its silence, in place of one that did, or that stands in line already; not of one whose gates have begun. */
  const takeIn = (row: ActivationRow): void => {
    if (!isQuiet(row)) return enqueue(row);
    for (const { id } of lanes.take(laneOf(row), isQuiet)) tellOver(id as ActivationId);
    unready.add(laneOf(row), row);
  };

  /** In the mode `interrupt` what runs makes way for the newer message, which answers both. */
  const interrupt = async (row: ActivationRow): Promise<void> => {
    const running = [...stoppers.values()].find(
      ({ row: other }) => laneOf(other) === laneOf(row) && other.person === row.person && other.id !== row.id,
    );
    if (running === undefined || running.abort.signal.aborted) return;
    const agent = await records.find("agent", row.agent);
    if ((agent?.content.queue ?? DEFAULT_QUEUE_MODE) !== "interrupt") return;
    // What runs may have taken it in meanwhile: then each would be the other's, and nobody would answer.
    if (!lanes.has(laneOf(row), ({ id }) => id === row.id)) return;
    running.instead = { kind: "merged", into: row.id as ActivationId };
    running.abort.abort();
  };

  const wait = async (id: ActivationId, signal: AbortSignal): Promise<Activation> => {
    const row = await waits.untilOver(id, signal);
    // Whoever took it in says what became of it.
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
      if (now.state === "waiting") await end(now, { kind: "stopped", ...why }, await spentBy(id));
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
    // One that waits for a silence may make way for a later message while it is stopped.
    await Promise.all(those.map((row) => stop(row.id as ActivationId, why).catch(unlessGone)));
  };

  return {
    wake(rows) {
      for (const row of rows) {
        takeIn(row);
        if (row.ready_at === 0) void interrupt(row);
      }
    },

    async recover() {
      const rows = await store.select({
        table: "activations",
        where: { ended_at: null },
        // As the room has them, whatever the clock said: a later one that ran first would be told the earlier one twice.
        order: [{ column: "cause_offset" }],
      });
      for (const row of rows) if (row.state !== "waiting") takeIn(row);
      if (rows.length > 0) log.write("info", "took up activations of the daemon before", { count: rows.length });
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

const STOPPED = { kind: "stopped" } as const;

/** The disk takes no writes at the moment, or another process holds the database: it is tried again, and nothing has failed. */
const isOfDisk = (error: unknown): boolean =>
  isHearthError(error, "store.unavailable") || isHearthError(error, "store.locked");

const usedUp = ({ message, ...error }: ErrorBody, retries: number): ErrorBody => ({
  ...error,
  message: `${message.replace(/\.?$/u, ".")} Hearth tried again ${retries} times.`,
});

const isQuiet = ({ ready_at, fence }: ActivationRow): boolean => ready_at > 0 && fence === 0;

const unlessGone = (error: unknown): void => {
  if (!isHearthError(error, "activation.not-found")) throw error;
};

/** A child has a lane of its own: an agent that is at work still answers others. */
const laneOf = (row: ActivationRow): string => (row.parent === null ? `${row.agent} ${row.room}` : row.id);
