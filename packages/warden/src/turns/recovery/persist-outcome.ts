/**
 * Commits the outcome of an activation's run, and tries again while the disk refuses writes. If the
 * daemon closes first, the next daemon runs the activation again.
 */
import type { Lease, Log, Store, Row } from "../../kernel/index.ts";
import { type ActivationId, type Clock, isHearthError, type Usage } from "@hearth/protocol";
import type { Ended } from "../run/endings/final-state.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import type { Outcome } from "../run/outcome.ts";

type ActivationRow = Row<"activations">;

/** Pauses between attempts to write. Each pause is twice as long as the one before it, up to the longest. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 10_000;

export type PersistOutcome = (
  row: ActivationRow,
  outcome: Outcome | Ended,
  usage: Usage,
  lease?: Lease,
) => Promise<void>;

export const createPersistOutcome = (options: {
  readonly world: { readonly clock: Pick<Clock, "sleep"> };
  readonly log: Log;
  readonly store: Pick<Store, "commit">;
  readonly lifecycle: Pick<Lifecycle, "park">;
  readonly find: (id: ActivationId) => Promise<ActivationRow>;
  readonly enqueue: (row: ActivationRow) => void;
  readonly end: (row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease) => Promise<void>;
  /** Aborts when the daemon closes. */
  readonly closing: AbortSignal;
}): PersistOutcome => {
  const { world, log, store, lifecycle, find, enqueue, end, closing } = options;

  const persist: PersistOutcome = async (row, outcome, usage, lease) => {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (outcome.kind === "waiting" && lease !== undefined) {
          if (!(await lifecycle.park(row, outcome, lease))) enqueue(await find(row.id));
          return;
        }
        if (outcome.kind !== "waiting" && outcome.kind !== "retry") return await end(row, outcome, usage, lease);
        return;
      } catch (error) {
        if (isHearthError(error, "lease.lost")) throw error;
        log.write("error", "could not store the end of an activation; will retry", {
          activation: row.id,
          error,
        });
      }
      await world.clock.sleep(pauseMs, closing);
    }
    await uncountCrash(row);
  };

  /** Stores that this run did not end in a crash, because the daemon closes in order. */
  const uncountCrash = async (row: ActivationRow): Promise<void> => {
    const set = { crashes: row.crashes };
    try {
      await store.commit({
        writes: [{ kind: "update", table: "activations", where: { id: row.id, ended_at: null }, set }],
      });
    } catch (error) {
      log.write(
        "warn",
        "could not store that the daemon closed in order; the next start counts a crash of this activation",
        { activation: row.id, error },
      );
    }
  };

  return persist;
};
