/**
 * Holds activations until they are due: one per lane, with one timer for the earliest. The timer
 * uses the monotonic clock, so setting the wall clock never makes an activation wait longer.
 */
import type { Row } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

export interface DelayedActivations {
  /** Adds a row, and returns the waiting row of this lane that it replaces. */
  add(lane: string, row: ActivationRow): ActivationRow | undefined;
  /** Removes and returns the row, if it waits. */
  take(id: string): ActivationRow | undefined;
  /** Cancels the timer. Rows that still wait are never released. */
  close(): void;
}

interface Entry {
  readonly row: ActivationRow;
  /** Due time on the monotonic clock. */
  readonly dueAt: number;
}

/** Calls `onDue` once for each due row, the earliest first. */
export const createDelayedActivations = (clock: Clock, onDue: (row: ActivationRow) => void): DelayedActivations => {
  const entries = new Map<string, Entry>();
  let timer: { readonly at: number; readonly stop: AbortController } | undefined;
  let isClosed = false;

  const armTimer = (): void => {
    const earliest = Math.min(...[...entries.values()].map(({ dueAt }) => dueAt));
    if (isClosed || earliest === Infinity || (timer !== undefined && timer.at <= earliest)) return;
    timer?.stop.abort();
    const armedTimer = { at: earliest, stop: new AbortController() };
    timer = armedTimer;
    const wake = (): void => {
      if (timer !== armedTimer || isClosed) return;
      timer = undefined;
      releaseDue();
    };
    clock.sleep(Math.max(0, earliest - clock.monotonic()), armedTimer.stop.signal).then(wake, wake);
  };

  const releaseDue = (): void => {
    const now = clock.monotonic();
    const dueEntries = [...entries].filter(([, { dueAt }]) => dueAt <= now).sort(([, a], [, b]) => a.dueAt - b.dueAt);
    for (const [lane, entry] of dueEntries) {
      if (entries.get(lane) !== entry) continue;
      entries.delete(lane);
      onDue(entry.row);
    }
    armTimer();
  };

  return {
    add(lane, row) {
      // The wait is never longer than the original wait, even if the wall clock was set back.
      const waitMs = Math.min(row.ready_at - clock.now(), row.ready_at - row.created_at);
      const replaced = entries.get(lane)?.row;
      entries.set(lane, { row, dueAt: clock.monotonic() + Math.max(0, waitMs) });
      armTimer();
      return replaced;
    },
    take(id) {
      for (const [lane, { row }] of entries) {
        if (row.id !== id) continue;
        entries.delete(lane);
        return row;
      }
      return undefined;
    },
    close() {
      isClosed = true;
      timer?.stop.abort();
    },
  };
};
