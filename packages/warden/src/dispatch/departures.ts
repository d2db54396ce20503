/** The reader of the houses' logs that sees to it that whoever was removed stops: an agent everywhere, a room's agents in that room. */
import type { HearthRecord, StreamName } from "@hearth/protocol";
import type { Records } from "../identity/records.ts";
import type { Log } from "../observe/log.ts";
import type { DurableStreams } from "../streams/streams.ts";

export interface DeparturesOptions {
  readonly log: Log;
  readonly records: Records;
  readonly streams: DurableStreams;
  /** Called once for each record that is removed while this runs. */
  readonly gone: (record: HearthRecord) => Promise<void>;
}

export interface Departures {
  /** Follows until `signal` aborts. What went before has no one running: an activation without its agent ends as it begins. */
  run(signal: AbortSignal): Promise<void>;
}

const BATCH = 100;

export const createDepartures = ({ log, records, streams, gone }: DeparturesOptions): Departures => {
  const offsets = new Map<StreamName, number>();

  const read = async (stream: StreamName): Promise<void> => {
    for (;;) {
      const offset = offsets.get(stream) ?? 0;
      const events = await streams.read(stream, offset, BATCH);
      for (const event of events) {
        offsets.set(stream, event.offset);
        if (event.type === "record-changed" && event.change === "removed") await gone(event.record);
      }
      if (events.length < BATCH) return;
    }
  };

  return {
    async run(signal) {
      const grown = streams.watch(["house"], signal);
      for (const { id } of await records.list("house")) offsets.set(`house:${id}`, await streams.head(`house:${id}`));
      for await (const names of grown) {
        for (const name of names) {
          try {
            await read(name);
          } catch (error) {
            log.write("error", "what was removed could not be stopped", { stream: name, error });
          }
        }
      }
    },
  };
};
