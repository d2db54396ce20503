/**
 * Streams in memory for events that may be missed, such as an activation's progress. They are lost
 * when the daemon ends.
 */
import { type AnyEvent, type EventId, HearthError, type Stored, type StreamName, type World } from "@hearth/protocol";
import { createAppendSignal } from "./append-signal.ts";
import type { MemoryStreams } from "./streams.ts";

/** Maximum number of events per batch of a follower. */
const MAX_BATCH_EVENTS = 100;
/** Maximum size of a stream's events as JSON, at two bytes per code unit. */
export const MAX_STREAM_BYTES = 4 * 1024 * 1024;
/** How long a closed stream can still be read. */
export const GRACE_MS = 60_000;
/** Maximum number of closed streams. The stream that closed first is forgotten first. */
export const MAX_CLOSED_STREAMS = 256;

interface BufferedEvent {
  readonly event: Stored;
  readonly sizeBytes: number;
}

interface StreamState {
  /** The last events, without a gap. */
  readonly events: BufferedEvent[];
  /** Their offsets by id. */
  readonly offsets: Map<EventId, number>;
  head: number;
  sizeBytes: number;
  isClosed: boolean;
}

export const createMemoryStreams = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  /** Maximum number of events of a stream. */
  readonly maxEvents?: (stream: StreamName) => number;
  /** When it aborts, closed streams are forgotten at once. */
  readonly signal?: AbortSignal;
}): MemoryStreams => {
  const { world, maxEvents = () => 4096, signal: closeSignal } = options;
  /** When each closed stream expires. */
  const closedStreams = new Map<StreamName, number>();
  let isSweeping = false;
  const streams = new Map<StreamName, StreamState>();
  const appendSignal = createAppendSignal();

  const openStream = (stream: StreamName): StreamState => {
    const existingState = streams.get(stream);
    if (existingState !== undefined) return existingState;
    const state: StreamState = { events: [], offsets: new Map(), head: 0, sizeBytes: 0, isClosed: false };
    streams.set(stream, state);
    return state;
  };

  const add = (stream: StreamName, state: StreamState, id: EventId, event: AnyEvent): number => {
    state.head += 1;
    const sizeBytes = JSON.stringify(event).length * 2;
    state.events.push({ event: { ...event, id, offset: state.head } as Stored, sizeBytes });
    state.offsets.set(id, state.head);
    state.sizeBytes += sizeBytes;
    const limit = maxEvents(stream);
    while (state.events.length > limit || state.sizeBytes > MAX_STREAM_BYTES) {
      const evicted = state.events.shift();
      if (evicted === undefined) break;
      state.sizeBytes -= evicted.sizeBytes;
      state.offsets.delete(evicted.event.id);
    }
    appendSignal.notify(stream);
    return state.head;
  };

  const readEvents = (state: StreamState, after: number, limit: number): readonly Stored[] => {
    const start = Math.max(0, after - (state.head - state.events.length));
    return state.events.slice(start, start + limit).map((entry) => entry.event);
  };

  /**
   * Forgets closed streams. One timer serves all of them, because they expire in the order of
   * their closing.
   */
  const sweep = async (): Promise<void> => {
    for (const [stream, expiresAt] of closedStreams) {
      await world.clock.sleep(expiresAt - world.clock.monotonic(), closeSignal);
      // The stream may have been evicted meanwhile.
      if (closedStreams.delete(stream)) streams.delete(stream);
    }
    isSweeping = false;
  };

  const scheduleForget = (stream: StreamName): void => {
    closedStreams.set(stream, world.clock.monotonic() + GRACE_MS);
    for (const [oldest] of closedStreams) {
      if (closedStreams.size <= MAX_CLOSED_STREAMS) break;
      closedStreams.delete(oldest);
      streams.delete(oldest);
    }
    if (isSweeping) return;
    isSweeping = true;
    sweep().catch(() => {
      // The next stream that closes starts another sweep.
      isSweeping = false;
    });
  };

  return {
    push(stream, event) {
      const state = openStream(stream);
      if (!state.isClosed) add(stream, state, world.ids.fresh("evt"), event);
    },
    append({ stream, id, event }, { expected } = {}) {
      const state = streams.get(stream);
      const offset = state?.offsets.get(id);
      if (offset !== undefined) return Promise.resolve({ kind: "duplicate", offset });
      const head = state?.head ?? 0;
      if (expected !== undefined && expected !== head) return Promise.resolve({ kind: "conflict", head });
      if (state?.isClosed === true)
        return Promise.reject(new HearthError("stream.not-found", `The stream ${stream} has ended.`));
      return Promise.resolve({ kind: "appended", offset: add(stream, openStream(stream), id, event) });
    },
    read(stream, after, limit) {
      const state = streams.get(stream);
      return Promise.resolve(state === undefined ? [] : readEvents(state, after, limit));
    },
    head: (stream) => Promise.resolve(streams.get(stream)?.head ?? 0),
    follow(stream, after, signal) {
      let lastOffset = after;
      let state: StreamState | undefined;
      return appendSignal.follow(stream, signal, () => {
        // The stream is kept once it is found, so that a slow follower reads to the end even if the
        // stream is forgotten meanwhile.
        state ??= streams.get(stream);
        if (state === undefined) return Promise.resolve([]);
        const batch = readEvents(state, lastOffset, MAX_BATCH_EVENTS);
        lastOffset = batch.at(-1)?.offset ?? lastOffset;
        return Promise.resolve(batch.length === 0 && state.isClosed ? "ended" : batch);
      });
    },
    close(stream) {
      const state = openStream(stream);
      if (state.isClosed) return;
      state.isClosed = true;
      appendSignal.notify(stream);
      scheduleForget(stream);
    },
    has: (stream) => (streams.get(stream)?.head ?? 0) > 0,
  };
};
