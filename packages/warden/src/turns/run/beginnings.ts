/** Writes the beginnings of activations to their agents' logs, without a sync of their own. */
import { type DurableStreams, type Log, type NewEvent, observe, type Row } from "../../kernel/index.ts";
import type { ActivationId, AgentId, EventId, RoomId, Trigger, World } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

export interface Beginnings {
  /** The activation has begun. The entry is written with the next commit, or after a few ms. */
  started(row: ActivationRow, at: number): void;
  /**
   * The entry that the activation's end has to add, because it may be missing in the log. The store
   * ignores one that is there.
   */
  missing(row: ActivationRow): readonly NewEvent[];
}

export const createBeginnings = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly streams: Pick<DurableStreams, "commit">;
}): Beginnings => {
  const { world, log, streams } = options;
  /** Entries that are not durable yet. */
  const entries = new Map<string, "queued" | "failed">();

  const toEntry = (row: ActivationRow, at: number): NewEvent => ({
    stream: `agent:${row.agent as AgentId}`,
    id: world.ids.derive("evt", row.id, "started"),
    event: {
      type: "activation-started",
      at,
      activation: row.id as ActivationId,
      agent: row.agent as AgentId,
      room: row.room as RoomId,
      trigger: row.trigger as Trigger,
      cause: row.cause as EventId,
    },
  });

  const write = async (row: ActivationRow, at: number): Promise<void> => {
    try {
      await streams.commit({ patient: true, writes: [], events: [toEntry(row, at)] });
      entries.delete(row.id);
    } catch (error) {
      entries.set(row.id, "failed");
      throw error;
    }
  };

  return {
    started(row, at) {
      entries.set(row.id, "queued");
      observe(write(row, at), log, "could not log that an activation began; its end will", { activation: row.id });
    },
    missing(row) {
      const state = entries.get(row.id);
      entries.delete(row.id);
      const isMissing = state === "failed" || (state === undefined && row.started_at !== null);
      return isMissing ? [toEntry(row, row.started_at ?? world.clock.now())] : [];
    },
  };
};
