/** Queues activations: new ones, retried ones, and those that an earlier daemon left. */
import { type Kernel, observe, isWaitingForQuiet, queueKeyOf, type Row } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import { type ActivationId, DEFAULT_QUEUE_MODE } from "@hearth/protocol";
import type { ActivationQueues } from "./activation-queues.ts";
import { createDelayedActivations, type DelayedActivations } from "./delayed-activations.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { RunningActivations } from "./running-activations.ts";

type ActivationRow = Row<"activations">;

export interface ArrivalsOptions {
  readonly kernel: Pick<Kernel, "world" | "log" | "store">;
  readonly records: Pick<Records, "find">;
  readonly lanes: ActivationQueues<ActivationRow>;
  readonly running: RunningActivations;
  readonly lifecycle: Pick<Lifecycle, "notifyQueued">;
  /** Called with each waiting ambient activation that a newer one replaced. */
  readonly onReplaced: (id: ActivationId) => void;
}

export interface Arrivals {
  /** Ambient activations that wait until the room has been quiet for a while. */
  readonly delayed: DelayedActivations;
  /** Queues an activation at once. */
  enqueue(row: ActivationRow): void;
  /** Queues activations that have just become durable. An ambient activation may wait for quiet first. */
  wake(rows: readonly ActivationRow[]): void;
  /** Resumes the activations that an earlier daemon left queued or running. */
  recover(): Promise<void>;
}

export const createArrivals = (options: ArrivalsOptions): Arrivals => {
  const { kernel, records, lanes, running, lifecycle, onReplaced } = options;
  const { world, log, store } = kernel;

  const enqueue = (row: ActivationRow): void => {
    // Only ambient activations have a time before which they do not run. The room does not show them as
    // queued, because they may never run.
    if (row.ready_at === 0) lifecycle.notifyQueued(row);
    if (running.stopReasonOf(row.id) === undefined) return lanes.add(queueKeyOf(row), row);
    observe(lanes.runNow(row), log, "could not end a stopped activation", { activation: row.id });
  };

  const delayed = createDelayedActivations(world.clock, enqueue);

  /**
   * Queues an activation, or lets an ambient one wait for quiet. An ambient activation
   * replaces the agent's earlier one in the room, unless the gates of the earlier one have begun.
   */
  const enqueueOrDelay = (row: ActivationRow): void => {
    if (!isWaitingForQuiet(row)) return enqueue(row);
    for (const { id } of lanes.take(queueKeyOf(row), isWaitingForQuiet)) onReplaced(id);
    const replaced = delayed.add(queueKeyOf(row), row);
    if (replaced !== undefined) onReplaced(replaced.id);
  };

  /**
   * In the queue mode `interrupt`, stops the agent's running activation for the same person. The newer
   * one then answers both messages.
   */
  const interrupt = async (row: ActivationRow): Promise<void> => {
    const olderRun = running
      .all()
      .find(
        ({ row: other }) => queueKeyOf(other) === queueKeyOf(row) && other.person === row.person && other.id !== row.id,
      );
    if (olderRun === undefined || olderRun.abort.signal.aborted) return;
    const agent = await records.find("agent", row.agent);
    if ((agent?.content.queue ?? DEFAULT_QUEUE_MODE) !== "interrupt") return;
    // If the running activation has already merged the newer one, an interrupt would merge each into
    // the other, and neither would reply.
    if (!lanes.has(queueKeyOf(row), ({ id }) => id === row.id)) return;
    olderRun.endInstead = { kind: "merged", into: row.id };
    olderRun.abort.abort();
  };

  return {
    delayed,
    enqueue,

    wake(rows) {
      for (const row of rows) {
        enqueueOrDelay(row);
        if (row.ready_at === 0)
          observe(interrupt(row), log, "could not interrupt an activation for a newer message", { activation: row.id });
      }
    },

    async recover() {
      const rows = await store.select({
        table: "activations",
        where: { ended_at: null },
        // An activation that ran before an earlier one would read the earlier message too. The
        // offset gives the order of the room. Times do not, because the clock may have been
        // changed.
        order: [{ column: "cause_offset" }],
      });
      for (const row of rows) if (row.state !== "waiting") enqueueOrDelay(row);
      if (rows.length > 0) log.write("info", "resumed activations of an earlier daemon", { count: rows.length });
    },
  };
};
