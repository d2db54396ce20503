/**
 * The pool of open cells, one per agent and audience. A cell is opened when it is first needed, and
 * closed when it is idle or when another cell needs its slot. Their number is limited, and waiting
 * agents take turns.
 */
import {
  type AgentId,
  type AgentRecord,
  type Audience,
  type CellInfo,
  type FrameScope,
  HearthError,
} from "@hearth/protocol";
import { observe } from "../kernel/index.ts";
import { createBackoff } from "./backoff.ts";
import { type CellParts, type CellSettings, openCell, type OpenCell } from "./open-cell.ts";
import { createEviction } from "./eviction.ts";
import { createCellSlots, type CellSlot } from "./cell-slots.ts";
import type { CellLease } from "./cell-leases.ts";
import {
  createPooledCells,
  isIdle,
  isEmpty,
  type Key,
  newPooledCell,
  NOT_CLOSED_MESSAGE,
  type PooledCell,
} from "./pooled-cell.ts";

export type { CellLease } from "./cell-leases.ts";

export interface Pool extends AsyncDisposable {
  /**
   * Opens the agent's cell for that audience in advance if a slot is free. No working cell closes
   * for it. A failure is reported by the lease that needs the cell.
   */
  warm(agent: AgentRecord, audience: Audience): void;
  /** Opens the cell and returns its info. Throws `cell.unavailable` with the reason. */
  open(agent: AgentRecord, audience: Audience): Promise<CellInfo>;
  /**
   * Acquires a lease. Waits for a slot. Returns undefined if `signal` aborts first. Throws
   * `cell.unavailable` with the reason.
   */
  acquire(
    agent: AgentRecord,
    audience: Audience,
    scope: FrameScope,
    signal?: AbortSignal,
  ): Promise<CellLease | undefined>;
  /**
   * Closes the agent's cells, or only the one of this audience, by force. Their leases get
   * `cell.lost`. Returns the number of closed cells.
   */
  evict(agent: AgentId, audience?: Audience): Promise<number>;
  list(): readonly CellInfo[];
  /** Opens cells for waiting activations if the maximum number of open cells has grown. */
  applySettings(): void;
}

/** Returns the settings with which an agent's cell is opened. */
const settingsKeyOf = ({ content }: AgentRecord, { kind, limits }: CellSettings): string =>
  JSON.stringify([content.cell ?? kind, { ...limits, ...content.limits }]);

/**
 * Whether a cell opened today would differ. A caller may still have an older record of the agent.
 */
const isOutdated = ({ version, settingsKey }: PooledCell, agent: AgentRecord, settings: CellSettings): boolean =>
  agent.version >= version && settingsKey !== settingsKeyOf(agent, settings);

export const createPool = (options: CellParts): Pool => {
  const { clock, log, settings } = options;
  const slots = createCellSlots(() => settings().maxOpen);
  const backoff = createBackoff(clock);
  const { current, all, add, close, closeInBackground, retire, remove, end } = createPooledCells(log);
  const closeController = new AbortController();

  const freeSlot = createEviction({
    clock,
    slots,
    pooledCells: all,
    retire,
    signal: closeController.signal,
    close: (pooledCell) => closeInBackground(pooledCell, "preempted"),
  });

  const addCell = (agent: AgentRecord, audience: Audience, slot: CellSlot | undefined): PooledCell => {
    const start = Promise.withResolvers<OpenCell | undefined>();
    const pooledCell = newPooledCell(agent, {
      key: keyOf(agent.id, audience),
      settingsKey: settingsKeyOf(agent, settings()),
      opened: start.promise,
      since: clock.monotonic(),
    });
    add(pooledCell);
    // A prewarming does not report its failure.
    start.promise.catch(() => {});
    start.resolve(open(pooledCell, agent, audience, slot));
    return pooledCell;
  };

  const open = async (
    pooledCell: PooledCell,
    agent: AgentRecord,
    audience: Audience,
    reservedSlot: CellSlot | undefined,
  ): Promise<OpenCell | undefined> => {
    const { key, abandon } = pooledCell;
    let slot = reservedSlot;
    try {
      await backoff.untilDue(key, abandon.signal);
      if (slot === undefined) {
        const turn = slots.take(agent.id, abandon.signal);
        freeSlot();
        slot = await turn;
      }
      if (slot === undefined || abandon.signal.aborted) throw ABANDONED;
      const cell = await openCell({ ...options, onIdle: () => handleIdle(pooledCell) }, agent, audience);
      pooledCell.cell = cell;
      observe(watch(pooledCell, cell, slot), log, "the end of a cell could not be handled", { agent: agent.id });
      if (abandon.signal.aborted) {
        await close(pooledCell);
        return undefined;
      }
      // The cell may have been prewarmed and never used.
      handleIdle(pooledCell);
      return cell;
    } catch (error) {
      remove(pooledCell);
      slot?.free();
      if (error === ABANDONED) return undefined;
      backoff.recordFailure(key, 0);
      throw error;
    }
  };

  const watch = async (pooledCell: PooledCell, cell: OpenCell, slot: CellSlot): Promise<void> => {
    const { isAsked, livedMs } = await cell.ended;
    if (!isAsked) backoff.recordFailure(pooledCell.key, livedMs);
    remove(pooledCell);
    slot.free();
  };

  const handleIdle = (pooledCell: PooledCell): void => {
    if (!all.has(pooledCell) || !isIdle(pooledCell)) return;
    pooledCell.since = clock.monotonic();
    freeSlot();
    if (!isEmpty(pooledCell) || pooledCell.isClosing) return;
    if (pooledCell.isRetired) closeInBackground(pooledCell);
    else observe(closeWhenIdle(pooledCell), log, NOT_CLOSED_MESSAGE, { agent: pooledCell.agent });
  };

  const closeWhenIdle = async (pooledCell: PooledCell): Promise<void> => {
    pooledCell.idle?.abort();
    const idle = new AbortController();
    pooledCell.idle = idle;
    await clock.sleep(settings().idleMs, idle.signal);
    if (!idle.signal.aborted && isIdle(pooledCell)) await close(pooledCell);
  };

  /** Returns the cell that accepts leases. */
  const find = (agent: AgentRecord, audience: Audience): PooledCell | undefined => {
    const pooledCell = current.get(keyOf(agent.id, audience));
    if (pooledCell === undefined || !isOutdated(pooledCell, agent, settings())) return pooledCell;
    retire(pooledCell);
    return undefined;
  };

  /** Returns a cell that is open or opening, or opens one if a slot is free without waiting. */
  const findOrWarm = (agent: AgentRecord, audience: Audience): PooledCell | undefined => {
    const existingCell = find(agent, audience);
    if (existingCell !== undefined) return existingCell;
    const slot = closeController.signal.aborted ? undefined : slots.takeNow();
    return slot === undefined ? undefined : addCell(agent, audience, slot);
  };

  const acquireIn = (pooledCell: PooledCell, cell: OpenCell, scope: FrameScope): CellLease => {
    if (cell.cellLeases.isIdle()) pooledCell.since = clock.monotonic();
    pooledCell.idle?.abort();
    return cell.cellLeases.acquire(scope);
  };

  return {
    warm(agent, audience) {
      if (backoff.isDue(keyOf(agent.id, audience))) findOrWarm(agent, audience);
    },

    async open(agent, audience) {
      // An idle cell may close for a person's request, but a busy one may not.
      const canReplace = [...all].some((pooledCell) => isIdle(pooledCell) && isEmpty(pooledCell));
      const pooledCell = findOrWarm(agent, audience) ?? (canReplace ? addCell(agent, audience, undefined) : undefined);
      // Restarts the idle timer, as for a new cell.
      if (pooledCell?.cell !== undefined) handleIdle(pooledCell);
      const cell = await pooledCell?.opened;
      if (cell !== undefined) return cell.info();
      throw new HearthError("cell.unavailable", `All ${settings().maxOpen} cells of this house are open.`, {
        hint: "Close one: hearth cell close AGENT. Or raise the limit in Settings → Limits.",
      });
    },

    async acquire(agent, audience, scope, signal = NEVER) {
      while (!signal.aborted && !closeController.signal.aborted) {
        const pooledCell = find(agent, audience) ?? addCell(agent, audience, undefined);
        if (pooledCell.cell !== undefined) return acquireIn(pooledCell, pooledCell.cell, scope);
        pooledCell.waiterCount += 1;
        const untilStopped = untilAborted(signal);
        try {
          await Promise.race([pooledCell.opened, untilStopped.promise]);
        } finally {
          untilStopped[Symbol.dispose]();
          pooledCell.waiterCount -= 1;
          if (pooledCell.waiterCount === 0 && pooledCell.cell === undefined) retire(pooledCell);
        }
        const { cell } = pooledCell;
        if (cell !== undefined && !signal.aborted && current.get(pooledCell.key) === pooledCell)
          return acquireIn(pooledCell, cell, scope);
        handleIdle(pooledCell);
      }
      return undefined;
    },

    async evict(agent, audience) {
      const evictedCells = [...all].filter(({ key, agent: cellAgent }) =>
        audience === undefined ? cellAgent === agent : key === keyOf(agent, audience),
      );
      await Promise.all(evictedCells.map(end));
      return evictedCells.length;
    },

    applySettings: slots.serve,

    list: () => [...all].flatMap(({ cell }) => (cell === undefined ? [] : [cell.info()])),

    async [Symbol.asyncDispose]() {
      closeController.abort();
      await Promise.all([...all].map(end));
    },
  };
};

const NEVER = new AbortController().signal;
const ABANDONED = Symbol("given up");

const keyOf = (agent: AgentId, audience: Audience): Key => `${agent} ${audience}`;

const untilAborted = (signal: AbortSignal): Disposable & { readonly promise: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop, { once: true });
  return { promise, [Symbol.dispose]: () => signal.removeEventListener("abort", stop) };
};
