/** Which cells make way when others wait for a place: those at rest at once, those that are always at work after a while. */
import type { Clock } from "@hearth/protocol";
import type { CellSlots } from "./cell-slots.ts";
import { isAtRest, isEmpty, type PooledCell } from "./pooled-cell.ts";

export interface EvictionOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly places: Pick<CellSlots, "waiting">;
  readonly pooledCells: ReadonlySet<PooledCell>;
  /** Ends one that is at rest. */
  readonly close: (pooledCell: PooledCell) => void;
  /** Lets nobody new in: it ends with the last one who is there. */
  readonly retire: (pooledCell: PooledCell) => void;
  readonly signal: AbortSignal;
}

/** Whoever has waited for so long has a cell that is never at rest make way, once those who sit there are done. */
export const PATIENCE_MS = 10_000;

/** Looks whether somebody waits and something can end for it. Called whenever one of the two has changed. */
export const createEviction = (options: EvictionOptions): (() => void) => {
  const { clock, places, pooledCells, close, retire, signal } = options;
  let isImpatient = false;

  const count = (matches: (pooledCell: PooledCell) => boolean): number => [...pooledCells].filter(matches).length;

  const growImpatient = async (): Promise<void> => {
    isImpatient = true;
    while (places.waiting > 0 && !signal.aborted) {
      await clock.sleep(PATIENCE_MS, signal);
      if (signal.aborted || places.waiting <= count(({ isClosing, isRetired }) => isClosing || isRetired)) continue;
      const [longest] = [...pooledCells].filter(({ cell, isRetired }) => cell !== undefined && !isRetired).sort(byAge);
      if (longest !== undefined) retire(longest);
    }
    isImpatient = false;
  };

  return () => {
    let missing = places.waiting - count(({ isClosing }) => isClosing);
    if (missing <= 0) return;
    for (const each of [...pooledCells].filter(isAtRest).sort(byRest)) {
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
/** First those that nobody sits in, and of these the one that has rested longest. */
const byRest = (one: PooledCell, other: PooledCell): number =>
  Number(isEmpty(other)) - Number(isEmpty(one)) || byAge(one, other);
