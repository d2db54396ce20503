/**
 * Activations of this house: queued in lanes, run through a cell, ended in one commit with their reply. What was queued or running
 * when the daemon went away is taken up again from the journal.
 */
import {
  type Activation,
  type ActivationId,
  addUsage,
  type AgentId,
  type AgentRecord,
  type FrameScope,
  HearthError,
  isHearthError,
  noUsage,
  type RoomId,
  toErrorBody,
  type Usage,
} from "@hearth/protocol";
import { toOffer, type ToolName, tools } from "@hearth/protocol/tools";
import type { Pool } from "../cells/pool.ts";
import { type Journal, type KnownStep, usageOf } from "../journal/journal.ts";
import type { Log } from "../observe/log.ts";
import type { Catalog } from "../providers/catalog.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { isOver, toActivation } from "./activation.ts";
import type { Activations } from "./activations.ts";
import { createLanes } from "./lanes.ts";
import { createLifecycle, type LifecycleOptions } from "./lifecycle.ts";
import { type Outcome, runActivation } from "./run.ts";

type ActivationRow = Row<"activations">;

export interface ActivationsOptions extends LifecycleOptions {
  readonly log: Log;
  readonly store: Store;
  readonly journal: Journal;
  readonly pool: Pool;
  readonly providers: Catalog;
}

export interface HouseActivations extends Activations, AsyncDisposable {
  /** Takes in activations that have just become durable. */
  wake(rows: readonly ActivationRow[]): void;
  /** Takes up what an earlier daemon left queued or running. */
  recover(): Promise<void>;
  /** Stops all that is queued or running of an agent, or in a room. */
  stopAll(where: { readonly agent: AgentId } | { readonly room: RoomId }): Promise<void>;
}

/** A cell may die this often in one activation before the activation fails. */
const MAX_CELLS = 3;
/** How long a stopped activation may take to say goodbye before its cell is closed. */
const STOP_MS = 500;
/** Pauses between attempts to keep an end. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export const createActivations = (options: ActivationsOptions): HouseActivations => {
  const { world, log, store, records, journal, pool, providers } = options;
  const lifecycle = createLifecycle(options);
  const stoppers = new Map<ActivationId, AbortController>();
  const waiters = new Map<ActivationId, Set<() => void>>();
  const offers = new Map<ToolName, ReturnType<typeof toOffer>>();
  const closing = new AbortController();

  const offerOf = (name: ToolName): ReturnType<typeof toOffer> => {
    const offer = offers.get(name) ?? toOffer(tools[name]);
    offers.set(name, offer);
    return offer;
  };

  const end = async (row: ActivationRow, outcome: Outcome, usage: Usage): Promise<void> => {
    await lifecycle.end(row, outcome, usage);
    const id = row.id as ActivationId;
    for (const wake of waiters.get(id) ?? []) wake();
    waiters.delete(id);
  };

  const think = async (row: ActivationRow, signal: AbortSignal, meter: { usage: Usage }): Promise<Outcome> => {
    const agent = await records.get("agent", row.agent);
    pool.warm(agent);
    const { frozen, input, resumed, durable } = await lifecycle.begin(row, agent);
    // Whoever needs it awaits it; if nobody gets that far, its failure is the failure that they met.
    durable.catch(() => {});
    const model = await providers.resolve(frozen.model);
    const scope: FrameScope = {
      agent: agent.id,
      room: row.room as RoomId,
      person: row.person as AgentId,
      session: world.ids.derive("ses", row.room, row.agent),
      activation: row.id as ActivationId,
    };
    for (let cells = 1; ; cells += 1) {
      if (signal.aborted) return { kind: "stopped" };
      const seat = await pool.sit(agent, scope);
      const over = new AbortController();
      try {
        const known = resumed || cells > 1 ? await journal.load(scope.activation) : new Map<number, KnownStep>();
        meter.usage = usageOf(known.values());
        signal.addEventListener("abort", () => void evictIfStuck(agent, over.signal), { signal: over.signal });
        return await runActivation({
          world,
          journal,
          scope,
          input,
          model,
          seat,
          durable,
          offerOf,
          known,
          signal,
          delta: (event) => lifecycle.delta(row, event),
          spent: (usage) => {
            meter.usage = addUsage(meter.usage, usage);
          },
        });
      } catch (error) {
        if (signal.aborted) return { kind: "stopped" };
        if (!isHearthError(error, "cell.lost") || cells === MAX_CELLS) throw error;
        log.write("warn", "a cell died under an activation, which goes on in a new one", { activation: row.id, error });
        lifecycle.delta(row, { type: "restart", at: world.clock.now() });
      } finally {
        over.abort();
        seat.leave();
      }
    }
  };

  const evictIfStuck = async (agent: AgentRecord, over: AbortSignal): Promise<void> => {
    await world.clock.sleep(STOP_MS, over);
    if (!over.aborted) await pool.evict(agent.id);
  };

  const run = async (row: ActivationRow): Promise<void> => {
    const id = row.id as ActivationId;
    const stopper = new AbortController();
    stoppers.set(id, stopper);
    const meter = { usage: noUsage };
    let outcome: Outcome;
    try {
      outcome = await think(row, stopper.signal, meter);
    } catch (error) {
      if (!isHearthError(error)) log.write("error", "an activation broke", { activation: id, error });
      outcome = { kind: "failed", error: toErrorBody(error) };
    }
    await keepEnd(row, outcome, meter.usage);
    stoppers.delete(id);
  };

  /** A disk that is full becomes free again: until then its lane waits. When the daemon closes first, the next one goes on with it. */
  const keepEnd = async (row: ActivationRow, outcome: Outcome, usage: Usage): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await end(row, outcome, usage);
      } catch (error) {
        log.write("error", "an activation's end could not be kept and will be tried again", {
          activation: row.id,
          error,
        });
      }
      await world.clock.sleep(pauseMs, closing.signal);
    }
  };

  const lanes = createLanes<ActivationRow>((row) => (closing.signal.aborted ? Promise.resolve() : run(row)));

  const find = async (id: ActivationId): Promise<ActivationRow> => {
    const [row] = await store.select({ table: "activations", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("activation.not-found", `There is no activation ${id}.`, {
      hint: "List them: hearth activation list",
    });
  };

  const enqueue = (row: ActivationRow): void => {
    lifecycle.queued(row);
    lanes.add(laneOf(row), row);
  };

  const wait = async (id: ActivationId, signal: AbortSignal): Promise<Activation> => {
    const over = Promise.withResolvers<void>();
    const set = waiters.get(id) ?? new Set();
    waiters.set(id, set.add(over.resolve));
    const cutShort = (): void => over.resolve();
    signal.addEventListener("abort", cutShort);
    try {
      const row = await find(id);
      if (!isOver(row.state) && !signal.aborted) await over.promise;
      return toActivation(await find(id));
    } finally {
      signal.removeEventListener("abort", cutShort);
      set.delete(over.resolve);
      if (set.size === 0 && waiters.get(id) === set) waiters.delete(id);
    }
  };

  const stop = async (id: ActivationId): Promise<Activation> => {
    const row = await find(id);
    if (isOver(row.state)) return toActivation(row);
    const queued = lanes.take(laneOf(row), (other) => other.id === id);
    if (queued !== undefined) await end(queued, { kind: "stopped" }, noUsage);
    else stoppers.get(id)?.abort();
    return wait(id, closing.signal);
  };

  return {
    wake(rows) {
      for (const row of rows) enqueue(row);
    },

    async recover() {
      const rows = await store.select({
        table: "activations",
        where: { ended_at: null },
        order: [{ column: "created_at" }, { column: "cause_offset" }],
      });
      for (const row of rows) enqueue(row);
      if (rows.length > 0) log.write("info", "took up activations of the daemon before", { count: rows.length });
    },

    async list({ limit, since, ...where }) {
      const rows = await store.select({
        table: "activations",
        where: given(where),
        and: since === undefined ? [] : [{ column: "created_at", is: ">=", value: since }],
        order: [
          { column: "created_at", descending: true },
          { column: "cause_offset", descending: true },
        ],
        limit,
      });
      return rows.map(toActivation);
    },

    get: async (id) => toActivation(await find(id)),
    steps: (id) => journal.rows(id),

    stop,
    async stopAll(where) {
      const rows = await store.select({ table: "activations", where: { ...where, ended_at: null } });
      await Promise.all(rows.map((row) => stop(row.id as ActivationId)));
    },

    wait,
    counts: () => lanes.counts(),

    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const stopper of stoppers.values()) stopper.abort();
      await lanes.drained();
    },
  };
};

/** Without the fields that nobody asked for. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const laneOf = (row: ActivationRow): string => `${row.agent} ${row.room}`;
