/**
 * Any stream by name, as one reader sees it, and where a reader of it begins. In-memory streams may have begun anew, or be over and gone; one
 * that is kept may be shorter than its reader knows it, when the house was brought back from a backup.
 */
import { isOver, type DurableStreams, type MemoryStreams, type Streams } from "../kernel/index.ts";
import type { Activations } from "../turns/index.ts";
import type { Principal } from "../people/index.ts";
import { type ActivationId, HearthError, type StoredEvent, type StreamName } from "@hearth/protocol";
import type { Access } from "./access.ts";

/** `restarted`: the reader's offset is of another epoch or past the end of the stream, which is read from 0. `gone`: it is over and nothing of it is left. */
export type Start = "here" | "restarted" | "gone";

export interface Source {
  of(stream: StreamName): Pick<Streams, "read" | "head" | "follow">;
  /** `epoch`: the one that the reader got its offset with, if it says so. */
  start(stream: StreamName, after: number, epoch?: string): Promise<Start>;
  /** What the house's offsets belong to at present. */
  readonly epoch: string;
}

export interface SourceOptions {
  readonly streams: DurableStreams;
  readonly memory: MemoryStreams;
  readonly activations: Activations;
  readonly access: Pick<Access, "shows">;
  readonly epoch: string;
}

/** Whoever reads has shown that the stream is open to them; of a house's log they still see only what they may. */
export const createSource =
  ({ streams, memory, activations, access, epoch }: SourceOptions) =>
  (principal: Principal): Source => {
    const shown = (events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> =>
      Promise.all(events.map(async (event) => ((await access.shows(principal, event)) ? event : hide(event))));

    const inPart: Pick<Streams, "read" | "head" | "follow"> = {
      head: streams.head,
      read: async (stream, after, limit) => shown(await streams.read(stream, after, limit)),
      async *follow(stream, after, signal) {
        for await (const events of streams.follow(stream, after, signal)) yield await shown(events);
      },
    };

    const of: Source["of"] = (stream) => (isInMemory(stream) ? memory : stream.startsWith("house:") ? inPart : streams);

    return {
      of,
      epoch,
      async start(stream, after, theirs = epoch) {
        if (stream.startsWith("deltas:")) {
          const { state } = await activations.get(stream.slice("deltas:".length) as ActivationId);
          // In this order: whatever is over has closed its stream, so one that is still there will end for its followers.
          if (isOver(state) && !memory.has(stream)) return "gone";
        }
        if (after === 0) return "here";
        return theirs !== epoch || (await of(stream).head(stream)) < after ? "restarted" : "here";
      },
    };
  };

export type SourceFor = ReturnType<typeof createSource>;

export const isInMemory = (stream: StreamName): boolean => stream.startsWith("deltas:") || stream.startsWith("live:");

/** Told to a reader that cannot be told to begin anew in the middle of an answer. */
export const behind = (stream: StreamName, hint: string): HearthError =>
  new HearthError(
    "stream.behind",
    isInMemory(stream)
      ? `${stream} has begun anew and has not come to this offset yet.`
      : `${stream} has not come to this offset: nobody was ever given it, or the house was brought back from a backup since.`,
    { hint },
  );

/** Its place stays, so that offsets are dense for everyone. */
const hide = ({ id, offset, at }: StoredEvent): StoredEvent => ({ type: "hidden", id, offset, at });
