/**
 * Streams in memory for events that may be missed, such as an activation's progress. They are lost
 * when the daemon ends.
 */
import { type AnyEvent, type EventId, HearthError, type Stored, type StreamName, type World } from "@hearth/protocol";
import { createAppendSignal } from "./append-signal.ts";
import type { MemoryStreams } from "./streams.ts";

/** Maximum number of events per batch of a follower. */
const BATCH = 100;
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
  closed: boolean;
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
  const closed = new Map<StreamName, number>();
  let sweeping = false;
  const streams = new Map<StreamName, StreamState>();
  const appendSignal = createAppendSignal();

  const open = (stream: StreamName): StreamState => {
    const known = streams.get(stream);
    if (known !== undefined) return known;
    const live: StreamState = { events: [], offsets: new Map(), head: 0, sizeBytes: 0, closed: false };
    streams.set(stream, live);
    return live;
  };

  const add = (stream: StreamName, live: StreamState, id: EventId, event: AnyEvent): number => {
    live.head += 1;
    const sizeBytes = JSON.stringify(event).length * 2;
    live.events.push({ event: { ...event, id, offset: live.head } as Stored, sizeBytes });
    live.offsets.set(id, live.head);
    live.sizeBytes += sizeBytes;
    const limit = maxEvents(stream);
    while (live.events.length > limit || live.sizeBytes > MAX_STREAM_BYTES) {
      const dropped = live.events.shift();
      if (dropped === undefined) break;
      live.sizeBytes -= dropped.sizeBytes;
      live.offsets.delete(dropped.event.id);
    }
    appendSignal.notify(stream);
    return live.head;
  };

  const read = (live: StreamState, after: number, limit: number): readonly Stored[] => {
    const start = Math.max(0, after - (live.head - live.events.length));
    return live.events.slice(start, start + limit).map((entry) => entry.event);
  };

  /**
   * Forgets closed streams. One timer serves all of them, because they expire in the order of
   * their closing.
   */
  const sweep = async (): Promise<void> => {
    for (const [stream, due] of closed) {
      await world.clock.sleep(due - world.clock.monotonic(), closeSignal);
      // The stream may have been evicted meanwhile.
      if (closed.delete(stream)) streams.delete(stream);
    }
    sweeping = false;
  };

  const forget = (stream: StreamName): void => {
    closed.set(stream, world.clock.monotonic() + GRACE_MS);
    for (const [oldest] of closed) {
      if (closed.size <= MAX_CLOSED_STREAMS) break;
      closed.delete(oldest);
      streams.delete(oldest);
    }
    if (sweeping) return;
    sweeping = true;
    sweep().catch(() => {
      // The next stream that closes starts another sweep.
      sweeping = false;
    });
  };

  return {
    push(stream, event) {
      const live = open(stream);
      if (!live.closed) add(stream, live, world.ids.fresh("evt"), event);
    },
    append({ stream, id, event }, { expected } = {}) {
      const live = streams.get(stream);
      const offset = live?.offsets.get(id);
      if (offset !== undefined) return Promise.resolve({ kind: "duplicate", offset });
      const head = live?.head ?? 0;
      if (expected !== undefined && expected !== head) return Promise.resolve({ kind: "conflict", head });
      if (live?.closed === true)
        return Promise.reject(new HearthError("stream.not-found", `The stream ${stream} has ended.`));
      return Promise.resolve({ kind: "appended", offset: add(stream, open(stream), id, event) });
    },
    read(stream, after, limit) {
      const live = streams.get(stream);
      return Promise.resolve(live === undefined ? [] : read(live, after, limit));
    },
    head: (stream) => Promise.resolve(streams.get(stream)?.head ?? 0),
    follow(stream, after, signal) {
      let last = after;
      let live: StreamState | undefined;
      return appendSignal.follow(stream, signal, () => {
        // The stream is kept once it is found, so that a slow follower reads to the end even if the
        // stream is forgotten meanwhile.
        live ??= streams.get(stream);
        if (live === undefined) return Promise.resolve([]);
        const batch = read(live, last, BATCH);
        last = batch.at(-1)?.offset ?? last;
        return Promise.resolve(batch.length === 0 && live.closed ? "ended" : batch);
      });
    },
    close(stream) {
      const live = open(stream);
      if (live.closed) return;
      live.closed = true;
      appendSignal.notify(stream);
      forget(stream);
    },
    has: (stream) => (streams.get(stream)?.head ?? 0) > 0,
  };
};
