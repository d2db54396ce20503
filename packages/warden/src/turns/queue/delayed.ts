/**
 * Activations that wait for their time: one per lane, and one timer for the first of them. By the clock that only grows, so that nobody
 * who sets the other one makes them wait longer, or come twice.
 */
import type { Row } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

export interface DelayedActivations {
  /** In place of whatever waits in this lane. */
  add(lane: string, row: ActivationRow): void;
  /** Takes it out, if it is there. */
  take(id: string): ActivationRow | undefined;
  /** No timer goes off any more. */
  close(): void;
}

interface Entry {
  readonly row: ActivationRow;
  /** On the clock that only grows. */
  readonly at: number;
}

/** `ready` is called once with each whose time has come, the earliest first. */
export const createDelayedActivations = (clock: Clock, ready: (row: ActivationRow) => void): DelayedActivations => {
  const entries = new Map<string, Entry>();
  let timer: { readonly at: number; readonly stop: AbortController } | undefined;
  let isClosed = false;

  const arm = (): void => {
    const first = Math.min(...[...entries.values()].map(({ at }) => at));
    if (isClosed || first === Infinity || (timer !== undefined && timer.at <= first)) return;
    timer?.stop.abort();
    const own = { at: first, stop: new AbortController() };
    timer = own;
    const wake = (): void => {
      if (timer !== own || isClosed) return;
      timer = undefined;
      goOff();
    };
    clock.sleep(Math.max(0, first - clock.monotonic()), own.stop.signal).then(wake, wake);
  };

  const goOff = (): void => {
    const now = clock.monotonic();
    const due = [...entries].filter(([, { at }]) => at <= now).sort(([, one], [, other]) => one.at - other.at);
    for (const [lane, entry] of due) {
      if (entries.get(lane) !== entry) continue;
      entries.delete(lane);
      ready(entry.row);
    }
    arm();
  };

  return {
    add(lane, row) {
      // Never longer than it was to wait at first, whatever the clock says by now.
      const leftMs = Math.min(row.ready_at - clock.now(), row.ready_at - row.created_at);
      entries.set(lane, { row, at: clock.monotonic() + Math.max(0, leftMs) });
      arm();
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
