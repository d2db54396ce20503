/** Writes the beginnings of activations to their agents' logs, after a pause or with their ends. */
import { type DurableStreams, type Log, type NewEvent, observe, type Row } from "../../kernel/index.ts";
import { isHearthError, type World } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

export interface Beginnings {
  /** The activation has begun. Its entry is written after a pause, or with its end if that is earlier. */
  started(row: ActivationRow, at: number): void;
  /**
   * The entry that the activation's end has to add, because it is not or may not be in the log. The
   * store ignores one that is there.
   */
  missing(row: ActivationRow): readonly NewEvent[];
}

/** Short for a reader of the log, and longer than a turn whose model answers at once. */
const PAUSE_MS = 5;

export const createBeginnings = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly streams: Pick<DurableStreams, "commit">;
}): Beginnings => {
  const { world, log, streams } = options;
  /** Beginnings that are not in the log yet, and when they were. */
  const waiting = new Map<string, number>();
  /** Their commits come before any later commit. */
  const inFlight = new Set<string>();

  const toEntry = (row: ActivationRow, at: number): NewEvent => ({
    stream: `agent:${row.agent}`,
    id: world.ids.derive("evt", row.id, "started"),
    event: {
      type: "activation-started",
      at,
      activation: row.id,
      agent: row.agent,
      room: row.room,
      trigger: row.trigger,
      cause: row.cause,
    },
  });

  const write = async (row: ActivationRow, at: number): Promise<void> => {
    await world.clock.sleep(PAUSE_MS);
    if (!waiting.delete(row.id)) return;
    inFlight.add(row.id);
    try {
      // No caller waits for it, so it may share the sync of another commit.
      await streams.commit({ writes: [], events: [toEntry(row, at)], mayWait: true });
    } catch (error) {
      if (inFlight.has(row.id)) waiting.set(row.id, at);
      // The next daemon resumes the activation and writes the entry.
      if (!isHearthError(error, "house.closing")) throw error;
    } finally {
      inFlight.delete(row.id);
    }
  };

  return {
    started(row, at) {
      waiting.set(row.id, at);
      observe(write(row, at), log, "could not log that an activation began; its end will", { activation: row.id });
    },
    missing(row) {
      const at = waiting.get(row.id) ?? row.started_at;
      waiting.delete(row.id);
      return inFlight.delete(row.id) || at === null ? [] : [toEntry(row, at)];
    },
  };
};
