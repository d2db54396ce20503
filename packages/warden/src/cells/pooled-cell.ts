/** The state of a cell in the pool, from the first request to the cell's end. */
import type { AgentId, AgentRecord, Audience } from "@hearth/protocol";
import { type Log, observe } from "../kernel/index.ts";
import type { OpenCell } from "./open-cell.ts";

export type Key = `${AgentId} ${Audience}`;

export interface PooledCell {
  readonly key: Key;
  readonly agent: AgentId;
  /** The version of the agent's record. A cell depends on some of its fields. */
  readonly version: number;
  readonly settingsKey: string;
  /**
   * Number of callers that wait for the cell to open. If the last one leaves before that, the
   * opening is aborted.
   */
  waiterCount: number;
  readonly abandon: AbortController;
  /** Resolves when the cell is open, or with undefined if the opening was aborted. */
  readonly opened: Promise<OpenCell | undefined>;
  cell: OpenCell | undefined;
  /** Whether the cell accepts no new leases, so that it ends with its last lease. */
  isRetired: boolean;
  isClosing: boolean;
  /** The time since which the cell has been idle, or busy. */
  since: number;
  /** Cancels the idle timer. */
  idle: AbortController | undefined;
}

/** Creates the state of a cell that is about to open. */
export const newPooledCell = (
  { id, version }: AgentRecord,
  state: {
    readonly key: Key;
    readonly settingsKey: string;
    readonly opened: PooledCell["opened"];
    readonly since: number;
  },
): PooledCell => ({
  key: state.key,
  agent: id,
  version,
  settingsKey: state.settingsKey,
  waiterCount: 0,
  abandon: new AbortController(),
  opened: state.opened,
  cell: undefined,
  isRetired: false,
  isClosing: false,
  since: state.since,
  idle: undefined,
});

/** Whether the cell could close now without loss of work. */
export const isIdle = ({ cell, waiterCount, isClosing }: PooledCell): boolean =>
  cell !== undefined && waiterCount === 0 && !isClosing && cell.cellLeases.isIdle();

/** Whether the cell has no leases. */
export const isEmpty = ({ cell }: PooledCell): boolean => cell?.cellLeases.activations.length === 0;

export const NOT_CLOSED_MESSAGE = "a cell could not be closed";

/** The cells of a pool until they end. */
export interface PooledCells {
  /** The cells that accept leases. */
  readonly current: ReadonlyMap<Key, PooledCell>;
  /** All cells that have a slot or wait for one. */
  readonly all: ReadonlySet<PooledCell>;
  /** Adds a cell, which accepts the leases of its key from now on. */
  add(pooledCell: PooledCell): void;
  close(pooledCell: PooledCell, how?: "preempted"): Promise<void>;
  /** Closes the cell in the background and logs a failure. */
  closeInBackground(pooledCell: PooledCell, how?: "preempted"): void;
  /** Retires the cell: it accepts no new leases and finishes its current ones. */
  retire(pooledCell: PooledCell): void;
  /** Removes the cell, which has ended. */
  remove(pooledCell: PooledCell): void;
  /** Closes the cell, which is open or opening, and waits for its end. */
  end(pooledCell: PooledCell): Promise<void>;
}

export const createPooledCells = (log: Log): PooledCells => {
  const current = new Map<Key, PooledCell>();
  const all = new Set<PooledCell>();

  const close = async (pooledCell: PooledCell, how?: "preempted"): Promise<void> => {
    pooledCell.isClosing = true;
    pooledCell.abandon.abort();
    if (current.get(pooledCell.key) === pooledCell) current.delete(pooledCell.key);
    await pooledCell.cell?.close(how);
  };

  const closeInBackground = (pooledCell: PooledCell, how?: "preempted"): void =>
    observe(close(pooledCell, how), log, NOT_CLOSED_MESSAGE, { agent: pooledCell.agent });

  const retire = (pooledCell: PooledCell): void => {
    pooledCell.isRetired = true;
    if (current.get(pooledCell.key) === pooledCell) current.delete(pooledCell.key);
    if (pooledCell.cell === undefined) pooledCell.abandon.abort();
    else if (isIdle(pooledCell) && isEmpty(pooledCell)) closeInBackground(pooledCell);
  };

  const remove = (pooledCell: PooledCell): void => {
    pooledCell.idle?.abort();
    all.delete(pooledCell);
    if (current.get(pooledCell.key) === pooledCell) current.delete(pooledCell.key);
  };

  return {
    current,
    all,
    add(pooledCell) {
      current.set(pooledCell.key, pooledCell);
      all.add(pooledCell);
    },
    close,
    closeInBackground,
    retire,
    remove,
    async end(pooledCell) {
      await close(pooledCell);
      await pooledCell.opened.catch(() => {});
      await pooledCell.cell?.ended;
    },
  };
};
