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

interface Run {
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
  const runs = new Map<StreamName, Run>();
  /** All cached events, oldest first. Those of each stream are in order. */
  const cached = new Set<CachedEvent>();
  let sizeBytes = 0;
  let sweeping = false;

  const runOf = (stream: StreamName): Run => {
    const known = runs.get(stream);
    if (known !== undefined) return known;
    const run: Run = { events: [], newest: 0, commitsInFlight: 0, isDoubtful: false, batch: undefined };
    runs.set(stream, run);
    return run;
  };

  const closeIfEmpty = (stream: StreamName, run: Run): void => {
    if (run.events.length === 0 && run.commitsInFlight === 0) runs.delete(stream);
  };

  const dropOldest = (stream: StreamName, run: Run): void => {
    const dropped = run.events.shift();
    if (dropped === undefined) return;
    run.batch = undefined;
    cached.delete(dropped);
    sizeBytes -= dropped.sizeBytes;
    closeIfEmpty(stream, run);
  };

  const dropAll = (stream: StreamName, run: Run): void => {
    while (run.events.length > 0) dropOldest(stream, run);
  };

  const dropWhile = (mustDrop: (oldest: CachedEvent) => boolean): void => {
    for (const oldest of cached) {
      if (!mustDrop(oldest)) return;
      dropOldest(oldest.stream, runOf(oldest.stream));
    }
  };

  const add = ({ stream, offset, id, text }: AppendedEvent): void => {
    const run = runOf(stream);
    // An event older than the newest is read from the store.
    if (offset <= run.newest) return;
    if (offset > run.newest + 1) dropAll(stream, run);
    run.newest = offset;
    const entry = {
      stream,
      id,
      sizeBytes: text.length * 2,
      expiresAt: clock.monotonic() + KEEP_MS,
      read: reader(offset, id, text),
    };
    run.events.push(entry);
    run.batch = undefined;
    cached.add(entry);
    sizeBytes += entry.sizeBytes;
    if (run.events.length > maxEvents) dropOldest(stream, run);
    dropWhile(() => sizeBytes > maxBytes);
    if (sweeping || cached.size === 0) return;
    sweep().catch(() => {
      // The next event starts another sweep.
      sweeping = false;
    });
  };

  /** Drops old events. One timer serves all streams while there are events to drop. */
  const sweep = async (): Promise<void> => {
    sweeping = true;
    while (cached.size > 0) {
      await clock.sleep(KEEP_MS, signal);
      const now = signal?.aborted === true ? Infinity : clock.monotonic();
      dropWhile(({ expiresAt }) => expiresAt <= now);
    }
    sweeping = false;
  };

  return {
    announceCommit(streams) {
      for (const stream of streams) runOf(stream).commitsInFlight += 1;
      return (outcome) => {
        if (outcome !== "unknown") for (const appended of outcome) add(appended);
        for (const stream of streams) {
          const run = runOf(stream);
          run.commitsInFlight -= 1;
          if (outcome === "unknown") run.isDoubtful = true;
          if (run.isDoubtful) dropAll(stream, run);
          closeIfEmpty(stream, run);
        }
      };
    },
    readAfter(stream, offset, limit) {
      const run = runs.get(stream);
      if (run === undefined) return [];
      const start = offset - (run.newest - run.events.length);
      if (start < 0 || start >= run.events.length) return [];
      if (run.batch?.offset !== offset || run.batch.limit !== limit) {
        const events = limitBatch(run.events.slice(start, start + limit), maxBatchBytes).map(({ read }) => read());
        run.batch = { offset, limit, events: Object.freeze(events) };
      }
      return run.batch.events;
    },
    newest: (stream) => trustedNewest(runs.get(stream)),
    head(stream) {
      const run = runs.get(stream);
      return run?.commitsInFlight === 0 ? trustedNewest(run) : undefined;
    },
    find: (stream, id) =>
      runs
        .get(stream)
        ?.events.findLast((entry) => entry.id === id)
        ?.read(),
    forget(stream) {
      const run = runs.get(stream);
      if (run !== undefined) dropAll(stream, run);
    },
    size: () => ({ streams: runs.size, events: cached.size, bytes: sizeBytes }),
  };
};

const trustedNewest = (run: Run | undefined): number | undefined =>
  run === undefined || run.isDoubtful || run.newest === 0 ? undefined : run.newest;

/** Returns the first events up to the limit, including the one that exceeds it. */
const limitBatch = (events: readonly CachedEvent[], maxBytes: number): readonly CachedEvent[] => {
  let remainingBytes = maxBytes;
  const end = events.findIndex(({ sizeBytes }) => (remainingBytes -= sizeBytes) < 0);
  return end === -1 ? events : events.slice(0, end + 1);
};

/** Returns a function that parses the event once, for all readers. */
const reader = (offset: number, id: EventId, text: string): (() => Stored) => {
  let event: Stored | undefined;
  return () => (event ??= freeze({ ...(JSON.parse(text) as AnyEvent), id, offset } as Stored));
};

const freeze = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
};
