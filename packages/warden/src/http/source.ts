/**
 * Opens any stream by name for one reader and determines where the reading begins. A stream in
 * memory may have restarted or ended. After a restore, a durable one may be shorter than the
 * reader's offset.
 */
import { hasEnded, type DurableStreams, type MemoryStreams, type Streams } from "../kernel/index.ts";
import type { Activations } from "../turns/index.ts";
import type { Principal } from "../people/index.ts";
import { HearthError, type StoredEvent, type StreamName, idOfStream, isStreamOf } from "@hearth/protocol";
import type { Access } from "./access.ts";

/**
 * `restarted`: the reader's offset is of another epoch or past the end of the stream, which is read
 * from 0. `gone`: the stream has ended and is no longer stored.
 */
export type StartState = "here" | "restarted" | "gone";

export interface Source {
  streamsOf(stream: StreamName): Pick<Streams, "read" | "head" | "follow">;
  /** Returns where the reading begins. `epoch` is the epoch of the reader's offset. Absent: unknown. */
  resolveStart(stream: StreamName, after: number, epoch?: string): Promise<StartState>;
  /** The present epoch of the house's offsets. */
  readonly epoch: string;
}

export interface SourceOptions {
  readonly streams: DurableStreams;
  readonly memory: MemoryStreams;
  readonly activations: Activations;
  readonly access: Pick<Access, "canSeeEvent">;
  readonly epoch: string;
}

/**
 * The caller has already been authorised for the stream; of the log of a house or an agent they see
 * only permitted events.
 */
export const createSource =
  ({ streams, memory, activations, access, epoch }: SourceOptions) =>
  (principal: Principal): Source => {
    const hideForbidden = (events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> =>
      Promise.all(events.map(async (event) => ((await access.canSeeEvent(principal, event)) ? event : hide(event))));

    const filteredStreams: Pick<Streams, "read" | "head" | "follow"> = {
      head: streams.head,
      read: async (stream, after, limit) => hideForbidden(await streams.read(stream, after, limit)),
      async *follow(stream, after, signal) {
        for await (const events of streams.follow(stream, after, signal)) yield await hideForbidden(events);
      },
    };

    const streamsOf: Source["streamsOf"] = (stream) =>
      isInMemory(stream) ? memory : isFiltered(stream) ? filteredStreams : streams;

    return {
      streamsOf,
      epoch,
      async resolveStart(stream, after, clientEpoch = epoch) {
        if (isStreamOf(stream, "deltas")) {
          const { state } = await activations.get(idOfStream(stream));
          // In this order: an activation that is over has closed its stream, so a stream that still
          // exists will end for its followers.
          if (hasEnded(state) && !memory.has(stream)) return "gone";
        }
        if (after === 0) return "here";
        return clientEpoch !== epoch || (await streamsOf(stream).head(stream)) < after ? "restarted" : "here";
      },
    };
  };

export type SourceFor = ReturnType<typeof createSource>;

export const isInMemory = (stream: StreamName): boolean => stream.startsWith("deltas:") || stream.startsWith("live:");

/** Logs with events about rooms and agents that a reader of the log may not see. */
const isFiltered = (stream: StreamName): boolean => stream.startsWith("house:") || stream.startsWith("agent:");

/** Returns the error for a reader that cannot restart within an answer. */
export const streamBehindError = (stream: StreamName, hint: string): HearthError =>
  new HearthError(
    "stream.behind",
    isInMemory(stream)
      ? `${stream} has restarted and is shorter than this offset.`
      : `This offset is past the end of ${stream}: it is invalid, or the house was restored from a backup.`,
    { hint },
  );

/** Hides the content of an event. Keeps the offset, so that offsets are dense for everyone. */
const hide = ({ id, offset, at }: StoredEvent): StoredEvent => ({ type: "hidden", id, offset, at });
