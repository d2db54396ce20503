/**
 * Retries activations: after a transient failure, when a person asks for it, and after the failure
 * of an activation into which they were merged.
 */
import { retryActivation, toActivation, type Lease, type Log, type Store, type Row } from "../../kernel/index.ts";
import {
  isScheduled,
  type Activation,
  type ActivationId,
  type ErrorBody,
  HearthError,
  isHearthError,
  type World,
} from "@hearth/protocol";
import { planRequeue, type RequeuedActivation } from "../run/endings/endings.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";
import type { Outcome } from "../run/outcome.ts";
import { deathPauseMs, LONGEST_RETRY_MS, retryDelayMs } from "./retry-policy.ts";

type ActivationRow = Row<"activations">;

export interface Retries {
  /**
   * Creates a new activation for a failed one, and one for each message that it had merged.
   * Repeated calls return the same activation. The method throws `activation.not-retryable` unless
   * the activation failed.
   */
  retry(id: ActivationId): Promise<Activation>;
  /** Plans new activations for the messages that were merged into this one. */
  planReplacements(row: ActivationRow): Promise<readonly RequeuedActivation[]>;
  /**
   * Waits until the activation's retry is due, or for the pause after crashes of the daemon. Waits
   * at most the longest pause, even if the wall clock was set back.
   */
  untilDue(row: ActivationRow, signal: AbortSignal): Promise<void>;
  /** Queues the next retry. The result is `over` if the activation has ended, and `failed` if no retry is left. */
  postpone(row: ActivationRow, outcome: Extract<Outcome, { kind: "retry" }>, lease: Lease): Promise<Postponed>;
}

export type Postponed =
  | { readonly kind: "postponed"; readonly row: ActivationRow }
  | { readonly kind: "over" }
  | Extract<Outcome, { kind: "failed" }>;

export const createRetries = (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly lifecycle: Pick<Lifecycle, "postpone" | "withProgress">;
  readonly find: (id: ActivationId) => Promise<ActivationRow>;
  readonly enqueue: (row: ActivationRow) => void;
}): Retries => {
  const { world, log, store, lifecycle, find, enqueue } = options;

  const planReplacement = (merged: ActivationRow): RequeuedActivation => ({
    merged,
    replacement: retryActivation(world as World, merged, world.clock.now()),
  });

  /**
   * Returns the activations that were merged into this one, directly or through another, and have
   * not been retried yet.
   */
  const mergedInto = async (target: ActivationRow): Promise<readonly ActivationRow[]> => {
    const mergedRows: ActivationRow[] = [];
    for (const targets = [target.id]; targets.length > 0;) {
      const rows = await store.select({ table: "activations", where: { merged_into: targets.shift() ?? "" } });
      mergedRows.push(...rows.filter(({ retried_by: by }) => by === null));
      targets.push(...rows.map(({ id }) => id));
    }
    return mergedRows;
  };

  /**
   * Returns the activation that decides the result of this one: the one it was merged into, if any.
   */
  const findDecidingActivation = async (id: ActivationId): Promise<ActivationRow> => {
    const row = await find(id);
    return row.merged_into === null || row.retried_by !== null ? row : findDecidingActivation(row.merged_into);
  };

  const retry: Retries["retry"] = async (id) => {
    const row = await findDecidingActivation(id);
    if (row.retried_by !== null) return toActivation(await find(row.retried_by));
    requireRetryable(row);
    const rows = [row, ...(await mergedInto(row))].sort((a, b) => a.cause_offset - b.cause_offset);
    const retriedRow = planReplacement(row);
    const requeued = rows.map((failedRow) => (failedRow === row ? retriedRow : planReplacement(failedRow)));
    const result = await store.commit({
      guards: rows.map(
        ({ id: failedId }) =>
          ({ kind: "exists", table: "activations", where: { id: failedId, retried_by: null } }) as const,
      ),
      writes: planRequeue(requeued),
    });
    // Another request was faster, so return its activation.
    if (result.kind !== "committed") return retry(id);
    for (const { replacement } of requeued) enqueue(replacement);
    return toActivation(await find(retriedRow.replacement.id));
  };

  return {
    retry,
    planReplacements: async (row) => (await mergedInto(row)).map(planReplacement),

    async untilDue({ retry_at: at, crashes }, signal) {
      const waitMs = Math.max(Math.min(at - world.clock.now(), LONGEST_RETRY_MS), deathPauseMs(crashes));
      if (waitMs > 0) await world.clock.sleep(waitMs, signal);
    },

    async postpone(failedRow, { error, usage }, lease) {
      const row = await lifecycle.withProgress(failedRow);
      const delayMs = retryDelayMs(row.retries, error);
      if (delayMs === undefined) return { kind: "failed", error: withoutRetriesLeft(error, row.retries) };
      const at = world.clock.now() + delayMs;
      log.write("warn", "will retry an activation", { activation: row.id, code: error.code, delayMs });
      const postponedRow = await lifecycle.postpone(row, { error, at, usage }, lease);
      return postponedRow === undefined ? { kind: "over" } : { kind: "postponed", row: postponedRow };
    },
  };
};

const requireRetryable = (row: ActivationRow): void => {
  if (row.state !== "failed")
    throw new HearthError(
      "activation.not-retryable",
      `Activation ${row.id} is ${row.state}; only a failed one can be retried.`,
      {
        hint: "To list the failed activations of a room: hearth room retry ROOM",
      },
    );
  if (row.parent !== null)
    throw new HearthError("activation.not-retryable", `Activation ${row.id} is part of another activation.`, {
      hint: `To retry the other activation: hearth room retry ${row.room} ${row.parent}`,
    });
  if (isScheduled(row))
    throw new HearthError("activation.not-retryable", `Activation ${row.id} belongs to a job.`, {
      hint: `To run the job again: hearth job run ${row.agent} JOB`,
    });
};

export const STOPPED = { kind: "stopped" } as const;

/**
 * Whether the disk refuses writes or another process locks the database. The activation then waits
 * and tries again.
 */
export const isDiskRefusal = (error: unknown): boolean =>
  isHearthError(error, "store.unavailable") || isHearthError(error, "store.locked");

const withoutRetriesLeft = ({ message, ...error }: ErrorBody, retries: number): ErrorBody => ({
  ...error,
  message: `${message.replace(/\.?$/u, ".")} Hearth retried ${retries} times.`,
});
