/** Puts activations into their lanes: new, retried, and those that an earlier daemon left. */
import { type Kernel, observe, isWaitingForQuiet, queueKeyOf, type Row } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import { type ActivationId, DEFAULT_QUEUE_MODE } from "@hearth/protocol";
import type { ActivationQueues } from "./activation-queues.ts";
import { createDelayedActivations, type DelayedActivations } from "./delayed.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { RunningActivations } from "./running.ts";

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
  /** Ambient activations that wait for their silence. */
  readonly delayed: DelayedActivations;
  enqueue(row: ActivationRow): void;
  /** Accepts activations that have just become durable. */
  wake(rows: readonly ActivationRow[]): void;
  /** Resumes what an earlier daemon left queued or running. */
  recover(): Promise<void>;
}

export const createArrivals = (options: ArrivalsOptions): Arrivals => {
  const { kernel, records, lanes, running, lifecycle, onReplaced } = options;
  const { world, log, store } = kernel;

  const enqueue = (row: ActivationRow): void => {
    // The room does not show an ambient activation, because it may never run.
    if (row.ready_at === 0) lifecycle.notifyQueued(row);
    if (running.stopReasonOf(row.id) === undefined) return lanes.add(queueKeyOf(row), row);
    observe(lanes.runNow(row), log, "could not end a stopped activation", { activation: row.id });
  };

  const delayed = createDelayedActivations(world.clock, enqueue);

  /**
   * Queues an activation, or lets an ambient one wait for its silence. An ambient activation
   * replaces the agent's earlier one in the room, unless the gates of the earlier one have begun.
   */
  const accept = (row: ActivationRow): void => {
    if (!isWaitingForQuiet(row)) return enqueue(row);
    for (const { id } of lanes.take(queueKeyOf(row), isWaitingForQuiet)) onReplaced(id);
    const before = delayed.add(queueKeyOf(row), row);
    if (before !== undefined) onReplaced(before.id);
  };

  /**
   * In the queue mode `interrupt`, stops the running activation of the same person, and lets the
   * newer one answer both messages.
   */
  const interrupt = async (row: ActivationRow): Promise<void> => {
    const older = running
      .all()
      .find(
        ({ row: other }) => queueKeyOf(other) === queueKeyOf(row) && other.person === row.person && other.id !== row.id,
      );
    if (older === undefined || older.abort.signal.aborted) return;
    const agent = await records.find("agent", row.agent);
    if ((agent?.content.queue ?? DEFAULT_QUEUE_MODE) !== "interrupt") return;
    // The running activation may have merged the newer one meanwhile. If it were interrupted then,
    // each would be merged into the other, and neither would reply.
    if (!lanes.has(queueKeyOf(row), ({ id }) => id === row.id)) return;
    older.instead = { kind: "merged", into: row.id };
    older.abort.abort();
  };

  return {
    delayed,
    enqueue,

    wake(rows) {
      for (const row of rows) {
        accept(row);
        if (row.ready_at === 0)
          observe(interrupt(row), log, "could not interrupt an activation for a newer message", { activation: row.id });
      }
    },

    async recover() {
      const rows = await store.select({
        table: "activations",
        where: { ended_at: null },
        // In the order of the room, because the wall clock may have been set. A later activation
        // that ran first would read the earlier message too.
        order: [{ column: "cause_offset" }],
      });
      for (const row of rows) if (row.state !== "waiting") accept(row);
      if (rows.length > 0) log.write("info", "resumed activations of an earlier daemon", { count: rows.length });
    },
  };
};
