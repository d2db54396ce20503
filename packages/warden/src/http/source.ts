/** Any stream by name, and where a reader of it begins. In-memory streams may have begun anew, or be over and gone. */
import type { ActivationId, StreamName } from "@hearth/protocol";
import type { Activations } from "../activations/activations.ts";
import type { DurableStreams, MemoryStreams, Streams } from "../streams/streams.ts";

/** `restarted`: the stream began anew, read from 0. `gone`: it is over and nothing of it is left. */
export type Start = "here" | "restarted" | "gone";

export interface Source {
  of(stream: StreamName): Streams;
  start(stream: StreamName, after: number): Promise<Start>;
}

export interface SourceOptions {
  readonly streams: DurableStreams;
  readonly memory: MemoryStreams;
  readonly activations: Activations;
}

export const createSource = ({ streams, memory, activations }: SourceOptions): Source => ({
  of: (stream) => (isInMemory(stream) ? memory : streams),
  async start(stream, after) {
    if (!isInMemory(stream)) return "here";
    if (stream.startsWith("deltas:")) {
      const { state } = await activations.get(stream.slice("deltas:".length) as ActivationId);
      // In this order: whatever is over has closed its stream, so one that is still there will end for its followers.
      if (state !== "queued" && state !== "running" && !memory.has(stream)) return "gone";
    }
    return (await memory.head(stream)) < after ? "restarted" : "here";
  },
});

export const isInMemory = (stream: StreamName): boolean => stream.startsWith("deltas:") || stream.startsWith("live:");
