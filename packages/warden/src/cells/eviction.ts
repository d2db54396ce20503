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
  /** Makes the cell accept no new leases: it ends with its last one. */
  readonly retire: (pooledCell: PooledCell) => void;
  readonly signal: AbortSignal;
}

/** After this wait, a busy cell is retired. Its current activations still finish. */
export const RETIRE_AFTER_MS = 10_000;

/**
 * Returns a function that closes cells for waiting activations. The caller calls it when an
 * activation begins to wait and when a cell becomes idle.
 */
export const createEviction = (options: EvictionOptions): (() => void) => {
  const { clock, slots, pooledCells, close, retire, signal } = options;
  let isRetiring = false;

  const count = (matches: (pooledCell: PooledCell) => boolean): number => [...pooledCells].filter(matches).length;

  const retireWhileWaiting = async (): Promise<void> => {
    isRetiring = true;
    while (slots.waiting > 0 && !signal.aborted) {
      await clock.sleep(RETIRE_AFTER_MS, signal);
      if (signal.aborted || slots.waiting <= count(({ isClosing, isRetired }) => isClosing || isRetired)) continue;
      const [oldest] = [...pooledCells].filter(({ cell, isRetired }) => cell !== undefined && !isRetired).sort(byAge);
      if (oldest !== undefined) retire(oldest);
    }
    isRetiring = false;
  };

  return () => {
    let missingCount = slots.waiting - count(({ isClosing }) => isClosing);
    if (missingCount <= 0) return;
    for (const pooledCell of [...pooledCells].filter(isIdle).sort(compareIdleness)) {
      if (missingCount <= 0) return;
      close(pooledCell);
      missingCount -= 1;
    }
    if (missingCount <= 0 || isRetiring) return;
    retireWhileWaiting().catch(() => {
      // The next change starts another wait.
      isRetiring = false;
    });
  };
};

const byAge = (a: PooledCell, b: PooledCell): number => a.since - b.since;
/**
 * Orders cells without leases first. Among those, the cell that has been idle longest comes first.
 */
const compareIdleness = (a: PooledCell, b: PooledCell): number =>
  Number(isEmpty(b)) - Number(isEmpty(a)) || byAge(a, b);
