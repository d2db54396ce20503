/** Logs in each agent's stream that an activation began, after a delay or together with its end. */
import { type DurableStreams, type Log, type NewEvent, observe, type Row } from "../../kernel/index.ts";
import { isHearthError, type World } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

export interface StartLog {
  /**
   * Records that the activation has begun. The log entry is written after a delay, or earlier with
   * the activation's end.
   */
  recordStart(row: ActivationRow, at: number): void;
  /**
   * The entry that the commit of the activation's end must contain, if the entry may not be in the
   * log yet. The store ignores an entry that is already there.
   */
  missingEntries(row: ActivationRow): readonly NewEvent[];
}

/** Readers do not notice this delay, and a turn whose model answers at once is over before it. */
const WRITE_DELAY_MS = 5;

export const createStartLog = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly streams: Pick<DurableStreams, "commit">;
}): StartLog => {
  const { world, log, streams } = options;
  /** Start times of activations whose beginning is not in the log yet. */
  const unloggedStarts = new Map<string, number>();
  /** Activations whose log entry is being committed. This commit precedes every commit that starts later. */
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
    await world.clock.sleep(WRITE_DELAY_MS);
    if (!unloggedStarts.delete(row.id)) return;
    inFlight.add(row.id);
    try {
      // No caller waits for this commit, so it may share the sync of another one.
      await streams.commit({ writes: [], events: [toEntry(row, at)], mayWait: true });
    } catch (error) {
      if (inFlight.has(row.id)) unloggedStarts.set(row.id, at);
      // The next daemon resumes the activation and writes the entry.
      if (!isHearthError(error, "house.closing")) throw error;
    } finally {
      inFlight.delete(row.id);
    }
  };

  return {
    recordStart(row, at) {
      unloggedStarts.set(row.id, at);
      observe(write(row, at), log, "could not log that an activation began; its end will", { activation: row.id });
    },
    missingEntries(row) {
      const at = unloggedStarts.get(row.id) ?? row.started_at;
      unloggedStarts.delete(row.id);
      return inFlight.delete(row.id) || at === null ? [] : [toEntry(row, at)];
    },
  };
};
