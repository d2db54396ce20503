/**
 * Follows the houses' logs: stops all activations of a removed agent, and all activations in a
 * removed room.
 */
import type { Records } from "../../people/index.ts";
import type { Pool } from "../../cells/index.ts";
import type { DurableStreams } from "../../kernel/index.ts";
import type { HearthRecord, StreamName } from "@hearth/protocol";
import type { HouseActivations } from "../run/house-activations.ts";

export interface RemovalReaderOptions {
  readonly records: Records;
  readonly streams: DurableStreams;
  readonly activations: Pick<HouseActivations, "stopAll">;
  readonly pool: Pick<Pool, "evict">;
}

export interface RemovalReader {
  /**
   * Follows the logs from their present end until `signal` aborts. Earlier removals need no action,
   * because an activation whose agent was removed ends as soon as it begins.
   */
  run(signal: AbortSignal): Promise<void>;
}

const EVENTS_PER_READ = 100;

export const createRemovalReader = (options: RemovalReaderOptions): RemovalReader => {
  const { records, streams, activations, pool } = options;
  const offsets = new Map<StreamName, number>();

  const onRemoved = async ({ type, id }: HearthRecord): Promise<void> => {
    if (type === "room") await activations.stopAll({ room: id });
    if (type !== "agent") return;
    await activations.stopAll({ agent: id });
    await pool.evict(id);
  };

  const read = async (stream: StreamName): Promise<void> => {
    for (;;) {
      const events = await streams.read(stream, offsets.get(stream) ?? 0, EVENTS_PER_READ);
      for (const event of events) {
        if (event.type === "record-changed" && event.change === "removed") await onRemoved(event.record);
        // Moves the offset last, so that a failed removal is read again.
        offsets.set(stream, event.offset);
      }
      if (events.length < EVENTS_PER_READ) return;
    }
  };

  return {
    async run(signal) {
      const changedStreams = streams.watch(["house"], signal);
      for (const { id } of await records.list("house")) {
        const stream: StreamName = `house:${id}`;
        if (!offsets.has(stream)) offsets.set(stream, await streams.head(stream));
      }
      // If an earlier run failed, reads the events after the last one that was handled.
      for (const stream of offsets.keys()) await read(stream);
      for await (const names of changedStreams) for (const name of names) await read(name);
    },
  };
};
