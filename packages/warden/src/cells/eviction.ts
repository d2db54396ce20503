/**
 * Decides which cells close when an activation waits for a slot: idle cells at once, busy cells
 * after a while.
 */
import type { Clock } from "@hearth/protocol";
import type { CellSlots } from "./cell-slots.ts";
import { isIdle, isEmpty, type PooledCell } from "./pooled-cell.ts";

export interface EvictionOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly slots: Pick<CellSlots, "waiting">;
  readonly pooledCells: ReadonlySet<PooledCell>;
  /** Closes an idle cell. */
  readonly close: (pooledCell: PooledCell) => void;
  /** Accepts no new leases: the cell ends with its last one. */
  readonly retire: (pooledCell: PooledCell) => void;
  readonly signal: AbortSignal;
}

/** After this wait, a busy cell is retired. Its current activations still finish. */
export const RETIRE_AFTER_MS = 10_000;

/**
 * Creates the function that checks whether an activation waits and a cell can close for it. The
 * caller calls it whenever either has changed.
 */
export const createEviction = (options: EvictionOptions): (() => void) => {
  const { clock, slots, pooledCells, close, retire, signal } = options;
  let isImpatient = false;

  const count = (matches: (pooledCell: PooledCell) => boolean): number => [...pooledCells].filter(matches).length;

  const growImpatient = async (): Promise<void> => {
    isImpatient = true;
    while (slots.waiting > 0 && !signal.aborted) {
      await clock.sleep(RETIRE_AFTER_MS, signal);
      if (signal.aborted || slots.waiting <= count(({ isClosing, isRetired }) => isClosing || isRetired)) continue;
      const [longest] = [...pooledCells].filter(({ cell, isRetired }) => cell !== undefined && !isRetired).sort(byAge);
      if (longest !== undefined) retire(longest);
    }
    isImpatient = false;
  };

  return () => {
    let missing = slots.waiting - count(({ isClosing }) => isClosing);
    if (missing <= 0) return;
    for (const each of [...pooledCells].filter(isIdle).sort(compareIdleness)) {
      if (missing <= 0) return;
      close(each);
      missing -= 1;
    }
    if (missing <= 0 || isImpatient) return;
    growImpatient().catch(() => {
      // The next change starts another wait.
      isImpatient = false;
    });
  };
};

const byAge = (one: PooledCell, other: PooledCell): number => one.since - other.since;
/**
 * Orders cells without leases first. Among those, the cell that has been idle longest comes first.
 */
const compareIdleness = (one: PooledCell, other: PooledCell): number =>
  Number(isEmpty(other)) - Number(isEmpty(one)) || byAge(one, other);
