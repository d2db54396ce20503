/**
 * A cache of recent events, so that the readers at the head of a stream do not each query the
 * store. It returns only events that are certain, and all others are read from the store.
 * All readers share its events and arrays, so these are frozen.
 */
import type { AnyEvent, Clock, EventId, Stored, StreamName } from "@hearth/protocol";

/** An event that a commit has appended. */
export interface AppendedEvent {
  readonly stream: StreamName;
  readonly offset: number;
  readonly id: EventId;
  /** The event as JSON, as it is stored. */
  readonly text: string;
}

export interface Tail {
  /**
   * Announces a commit that appends to these streams. Call the returned function with the
   * appended events, or with `unknown` if the outcome is unknown. Commits may end in any order.
   */
  announceCommit(streams: ReadonlySet<StreamName>): (outcome: readonly AppendedEvent[] | "unknown") => void;
  /**
   * Returns up to `limit` events after `offset` without a gap, or fewer if they are long. Empty
   * if the next one is not in the cache. Equal calls return the same array until the cache
   * changes, so that results can be shared.
   */
  readAfter(stream: StreamName, offset: number, limit: number): readonly Stored[];
  /** Returns the last known offset, if it is in the cache. */
  newest(stream: StreamName): number | undefined;
  /** Returns the last known offset, unless a commit in flight may have changed it. */
  head(stream: StreamName): number | undefined;
  find(stream: StreamName, id: EventId): Stored | undefined;
  /** Drops a stream whose events were removed from the store. */
  forget(stream: StreamName): void;
  /** Returns the current size of the cache. */
  size(): { readonly streams: number; readonly events: number; readonly bytes: number };
}

/** The minimum time for which an event is cached. The maximum is twice that. */
export const KEEP_MS = 5_000;

export interface TailOptions {
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  // The defaults apply in a house. Tests pass smaller limits, to reach them with a few events.
  /** Maximum number of events per stream. */
  readonly maxEvents?: number;
  /** Maximum size of all streams: the JSON of their events, at two bytes per code unit. */
  readonly maxBytes?: number;
  /** Maximum size of a returned batch. The event that exceeds it is included. */
  readonly maxBatchBytes?: number;
  /** When it aborts, the cache is emptied at once. */
  readonly signal?: AbortSignal;
}

interface CachedEvent {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly sizeBytes: number;
  readonly expiresAt: number;
  readonly read: () => Stored;
}

interface Batch {
  readonly offset: number;
  readonly limit: number;
  readonly events: readonly Stored[];
}

interface StreamTail {
  /** A contiguous run of events that ends at `newest`. */
  readonly events: CachedEvent[];
  /** The last offset. 0 if it is unknown. */
  newest: number;
  /**
   * Number of commits in flight. While there are any, `newest` is kept, because a later one may
   * have ended first.
   */
  commitsInFlight: number;
  /**
   * Whether a commit had an unknown outcome. No entry is trusted until all commits in flight with
   * it have ended.
   */
  isDoubtful: boolean;
  /**
   * The last returned batch. One is enough, because readers at the head are all at the same
   * place.
   */
  batch: Batch | undefined;
}

export const createTail = (options: TailOptions): Tail => {
  const { clock, signal, maxEvents = 256, maxBytes = 4 * 1024 * 1024, maxBatchBytes = 512 * 1024 } = options;
  const tails = new Map<StreamName, StreamTail>();
  /** All cached events, oldest first. Those of each stream are in order. */
  const cachedEvents = new Set<CachedEvent>();
  let sizeBytes = 0;
  let isSweeping = false;

  const tailOf = (stream: StreamName): StreamTail => {
    const existingTail = tails.get(stream);
    if (existingTail !== undefined) return existingTail;
    const tail: StreamTail = { events: [], newest: 0, commitsInFlight: 0, isDoubtful: false, batch: undefined };
    tails.set(stream, tail);
    return tail;
  };

  const closeIfEmpty = (stream: StreamName, tail: StreamTail): void => {
    if (tail.events.length === 0 && tail.commitsInFlight === 0) tails.delete(stream);
  };

  const dropOldest = (stream: StreamName, tail: StreamTail): void => {
    const droppedEvent = tail.events.shift();
    if (droppedEvent === undefined) return;
    tail.batch = undefined;
    cachedEvents.delete(droppedEvent);
    sizeBytes -= droppedEvent.sizeBytes;
    closeIfEmpty(stream, tail);
  };

  const dropAll = (stream: StreamName, tail: StreamTail): void => {
    while (tail.events.length > 0) dropOldest(stream, tail);
  };

  const dropWhile = (mustDrop: (oldest: CachedEvent) => boolean): void => {
    for (const oldest of cachedEvents) {
      if (!mustDrop(oldest)) return;
      dropOldest(oldest.stream, tailOf(oldest.stream));
    }
  };

  const add = ({ stream, offset, id, text }: AppendedEvent): void => {
    const tail = tailOf(stream);
    // An event older than the newest is read from the store.
    if (offset <= tail.newest) return;
    if (offset > tail.newest + 1) dropAll(stream, tail);
    tail.newest = offset;
    const entry = {
      stream,
      id,
      sizeBytes: text.length * 2,
      expiresAt: clock.monotonic() + KEEP_MS,
      read: createEventReader(offset, id, text),
    };
    tail.events.push(entry);
    tail.batch = undefined;
    cachedEvents.add(entry);
    sizeBytes += entry.sizeBytes;
    if (tail.events.length > maxEvents) dropOldest(stream, tail);
    dropWhile(() => sizeBytes > maxBytes);
    if (isSweeping || cachedEvents.size === 0) return;
    sweep().catch(() => {
      // The next event starts another sweep.
      isSweeping = false;
    });
  };

  /** Drops old events. One timer serves all streams while there are events to drop. */
  const sweep = async (): Promise<void> => {
    isSweeping = true;
    while (cachedEvents.size > 0) {
      await clock.sleep(KEEP_MS, signal);
      const now = signal?.aborted === true ? Infinity : clock.monotonic();
      dropWhile(({ expiresAt }) => expiresAt <= now);
    }
    isSweeping = false;
  };

  return {
    announceCommit(streams) {
      for (const stream of streams) tailOf(stream).commitsInFlight += 1;
      return (outcome) => {
        if (outcome !== "unknown") for (const appended of outcome) add(appended);
        for (const stream of streams) {
          const tail = tailOf(stream);
          tail.commitsInFlight -= 1;
          if (outcome === "unknown") tail.isDoubtful = true;
          if (tail.isDoubtful) dropAll(stream, tail);
          closeIfEmpty(stream, tail);
        }
      };
    },
    readAfter(stream, offset, limit) {
      const tail = tails.get(stream);
      if (tail === undefined) return [];
      const start = offset - (tail.newest - tail.events.length);
      if (start < 0 || start >= tail.events.length) return [];
      if (tail.batch?.offset !== offset || tail.batch.limit !== limit) {
        const events = limitBatch(tail.events.slice(start, start + limit), maxBatchBytes).map(({ read }) => read());
        tail.batch = { offset, limit, events: Object.freeze(events) };
      }
      return tail.batch.events;
    },
    newest: (stream) => findTrustedNewest(tails.get(stream)),
    head(stream) {
      const tail = tails.get(stream);
      return tail?.commitsInFlight === 0 ? findTrustedNewest(tail) : undefined;
    },
    find: (stream, id) =>
      tails
        .get(stream)
        ?.events.findLast((entry) => entry.id === id)
        ?.read(),
    forget(stream) {
      const tail = tails.get(stream);
      if (tail !== undefined) dropAll(stream, tail);
    },
    size: () => ({ streams: tails.size, events: cachedEvents.size, bytes: sizeBytes }),
  };
};

const findTrustedNewest = (tail: StreamTail | undefined): number | undefined =>
  tail === undefined || tail.isDoubtful || tail.newest === 0 ? undefined : tail.newest;

/** Returns the first events up to the limit, including the one that exceeds it. */
const limitBatch = (events: readonly CachedEvent[], maxBytes: number): readonly CachedEvent[] => {
  let remainingBytes = maxBytes;
  const end = events.findIndex(({ sizeBytes }) => (remainingBytes -= sizeBytes) < 0);
  return end === -1 ? events : events.slice(0, end + 1);
};

/** Returns a function that parses the event once, for all readers. */
const createEventReader = (offset: number, id: EventId, text: string): (() => Stored) => {
  let event: Stored | undefined;
  return () => (event ??= freeze({ ...(JSON.parse(text) as AnyEvent), id, offset } as Stored));
};

const freeze = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null) return value;
  for (const nestedValue of Object.values(value)) freeze(nestedValue);
  return Object.freeze(value);
};
