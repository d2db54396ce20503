/** Retries that a person asks for, and messages that are answered on their own because what took them in was given up. */
import { type Activation, type ActivationId, HearthError, type World } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { isOfSchedule, retryActivation, toActivation } from "./activation.ts";
import { planRequeue, type Requeued } from "./endings.ts";

type ActivationRow = Row<"activations">;

export interface Retries {
  /**
   * Starts a new activation in place of a failed one, and one for each message that it had taken in. The same activation however often
   * it is asked for. Throws `activation.not-retryable` for one that did not fail.
   */
  retry(id: ActivationId): Promise<Activation>;
  /** The activations that answer the messages which this one took in. */
  requeue(row: ActivationRow): Promise<readonly Requeued[]>;
}

export const createRetries = (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Store;
  readonly find: (id: ActivationId) => Promise<ActivationRow>;
  readonly enqueue: (row: ActivationRow) => void;
}): Retries => {
  const { world, store, find, enqueue } = options;

  const replace = (merged: ActivationRow): Requeued => ({
    merged,
    fresh: retryActivation(world as World, merged, world.clock.now()),
  });

  /** Those whose messages it took in, directly or through one that it took in. Those that were retried have an activation of their own. */
  const mergedInto = async (host: ActivationRow): Promise<readonly ActivationRow[]> => {
    const all: ActivationRow[] = [];
    for (const hosts = [host.id]; hosts.length > 0;) {
      const rows = await store.select({ table: "activations", where: { merged_into: hosts.shift() ?? "" } });
      all.push(...rows.filter(({ retried_by: by }) => by === null));
      hosts.push(...rows.map(({ id }) => id));
    }
    return all;
  };

  /** What became of a message that was merged is what became of the activation that took it in. */
  const findHost = async (id: ActivationId): Promise<ActivationRow> => {
    const row = await find(id);
    return row.merged_into === null || row.retried_by !== null ? row : findHost(row.merged_into as ActivationId);
  };

  const retry: Retries["retry"] = async (id) => {
    const row = await findHost(id);
    if (row.retried_by !== null) return toActivation(await find(row.retried_by as ActivationId));
    requireRetryable(row);
    const rows = [row, ...(await mergedInto(row))].sort((one, other) => one.cause_offset - other.cause_offset);
    const fresh = rows.map(replace);
    const result = await store.commit({
      guards: rows.map(
        (one) => ({ kind: "exists", table: "activations", where: { id: one.id, retried_by: null } }) as const,
      ),
      writes: planRequeue(fresh),
    });
    // Another request was faster: its activation is the one.
    if (result.kind !== "committed") return retry(id);
    for (const one of fresh) enqueue(one.fresh);
    return toActivation(await find(fresh.find(({ merged }) => merged === row)?.fresh.id as ActivationId));
  };

  return { retry, requeue: async (row) => (await mergedInto(row)).map(replace) };
};

const requireRetryable = (row: ActivationRow): void => {
  if (row.state !== "failed")
    throw new HearthError("activation.not-retryable", `Activation ${row.id} is ${row.state}; only a failed one can be retried.`, {
      hint: "List what failed in a room: hearth room retry ROOM",
    });
  if (row.parent !== null)
    throw new HearthError("activation.not-retryable", `Another activation asked for ${row.id}.`, {
      hint: `Retry that one: hearth room retry ${row.room} ${row.parent}`,
    });
  if (isOfSchedule(row))
    throw new HearthError("activation.not-retryable", `Activation ${row.id} belongs to a job.`, {
      hint: `Run the job again: hearth job run ${row.agent} JOB`,
    });
};
