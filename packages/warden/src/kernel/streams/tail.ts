/**
 * What was just appended, kept in memory for a moment, so that readers at the head of a stream do not ask the store each for
 * themselves. It is never the truth: it says what it knows for certain, and everything else is read from the store.
 *
 * Its events, and the arrays that they come in, are shared by all who read them, so they are frozen.
 */
import type { AnyEvent, Clock, EventId, Stored, StreamName } from "@hearth/protocol";

/** An event that a commit has brought into its stream. */
export interface Fresh {
  readonly stream: StreamName;
  readonly offset: number;
  readonly id: EventId;
  /** The event as JSON, as the store has it. */
  readonly text: string;
}

export interface Tail {
  /**
   * Call it before a commit that appends to these streams. What it returns takes what was appended, or `unknown` when nobody can say
   * whether it was. Commits may end in any order.
   */
  expect(streams: ReadonlySet<StreamName>): (outcome: readonly Fresh[] | "unknown") => void;
  /**
   * Up to `limit` events that follow `offset` without a gap, fewer where they are long; none when the next one is not held. Whoever asks
   * the same before anything changes gets the same array, so that what is made of it can be made once for all.
   */
  after(stream: StreamName, offset: number, limit: number): readonly Stored[];
  /** The last offset that it was told of, while it remembers. */
  newest(stream: StreamName): number | undefined;
  /** The same, unless a commit is on its way that may have moved it already. */
  head(stream: StreamName): number | undefined;
  find(stream: StreamName, id: EventId): Stored | undefined;
  /** Lets go of a stream whose events were taken out of the store. */
  forget(stream: StreamName): void;
  /** What is held right now. */
  size(): { readonly streams: number; readonly events: number; readonly bytes: number };
}

export interface TailOptions {
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  /** Of one stream. */
  readonly maxEvents?: number;
  /** Of all streams: the JSON of their events, at two bytes a code unit. */
  readonly maxBytes?: number;
  /** Of what is given at once, and the event that goes beyond. */
  readonly maxBatchBytes?: number;
  /** How long an event is held, and up to twice as long. */
  readonly keepMs?: number;
  /** Once it aborts, everything is forgotten at once. */
  readonly signal?: AbortSignal;
}

interface Held {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly sizeBytes: number;
  readonly due: number;
  readonly read: () => Stored;
}

interface Batch {
  readonly offset: number;
  readonly limit: number;
  readonly events: readonly Stored[];
}

interface Run {
  /** Those that end at `newest`, without a gap. */
  readonly events: Held[];
  /** 0: not told yet. */
  newest: number;
  /** Commits that have not ended. As long as there is one, `newest` is kept: another may have ended before it. */
  expected: number;
  /** A commit may have appended or not. Nothing is believed until all that were on their way with it have ended. */
  doubtful: boolean;
  /** What was asked for last. One is enough: those at the head all stand at the same place. */
  batch: Batch | undefined;
}

export const createTail = (options: TailOptions): Tail => {
  const {
    clock,
    signal,
    maxEvents = 256,
    maxBytes = 4 * 1024 * 1024,
    maxBatchBytes = 512 * 1024,
    keepMs = 5_000,
  } = options;
  const runs = new Map<StreamName, Run>();
  /** All that are held, oldest first; of each stream they are in the order of its run. */
  const held = new Set<Held>();
  let sizeBytes = 0;
  let sweeping = false;

  const open = (stream: StreamName): Run => {
    const known = runs.get(stream);
    if (known !== undefined) return known;
    const run: Run = { events: [], newest: 0, expected: 0, doubtful: false, batch: undefined };
    runs.set(stream, run);
    return run;
  };

  const closeIfEmpty = (stream: StreamName, run: Run): void => {
    if (run.events.length === 0 && run.expected === 0) runs.delete(stream);
  };

  const dropOldest = (stream: StreamName, run: Run): void => {
    const dropped = run.events.shift();
    if (dropped === undefined) return;
    run.batch = undefined;
    held.delete(dropped);
    sizeBytes -= dropped.sizeBytes;
    closeIfEmpty(stream, run);
  };

  const dropAll = (stream: StreamName, run: Run): void => {
    while (run.events.length > 0) dropOldest(stream, run);
  };

  const dropWhile = (isTooMuch: (oldest: Held) => boolean): void => {
    for (const oldest of held) {
      if (!isTooMuch(oldest)) return;
      dropOldest(oldest.stream, open(oldest.stream));
    }
  };

  const add = ({ stream, offset, id, text }: Fresh): void => {
    const run = open(stream);
    // One that was appended before another that was told of already: whoever needs it reads the store.
    if (offset <= run.newest) return;
    if (offset > run.newest + 1) dropAll(stream, run);
    run.newest = offset;
    const one = {
      stream,
      id,
      sizeBytes: text.length * 2,
      due: clock.monotonic() + keepMs,
      read: reader(offset, id, text),
    };
    run.events.push(one);
    run.batch = undefined;
    held.add(one);
    sizeBytes += one.sizeBytes;
    if (run.events.length > maxEvents) dropOldest(stream, run);
    dropWhile(() => sizeBytes > maxBytes);
    if (sweeping || held.size === 0) return;
    sweep().catch(() => {
      // The next event starts another sweep.
      sweeping = false;
    });
  };

  /** One sleeper for all, as long as there is something to forget. */
  const sweep = async (): Promise<void> => {
    sweeping = true;
    while (held.size > 0) {
      await clock.sleep(keepMs, signal);
      const now = signal?.aborted === true ? Infinity : clock.monotonic();
      dropWhile(({ due }) => due <= now);
    }
    sweeping = false;
  };

  return {
    expect(streams) {
      for (const stream of streams) open(stream).expected += 1;
      return (outcome) => {
        if (outcome !== "unknown") for (const fresh of outcome) add(fresh);
        for (const stream of streams) {
          const run = open(stream);
          run.expected -= 1;
          if (outcome === "unknown") run.doubtful = true;
          if (run.doubtful) dropAll(stream, run);
          closeIfEmpty(stream, run);
        }
      };
    },
    after(stream, offset, limit) {
      const run = runs.get(stream);
      if (run === undefined) return [];
      const start = offset - (run.newest - run.events.length);
      if (start < 0 || start >= run.events.length) return [];
      if (run.batch?.offset !== offset || run.batch.limit !== limit) {
        const events = cut(run.events.slice(start, start + limit), maxBatchBytes).map(({ read }) => read());
        run.batch = { offset, limit, events: Object.freeze(events) };
      }
      return run.batch.events;
    },
    newest: (stream) => believed(runs.get(stream)),
    head(stream) {
      const run = runs.get(stream);
      return run?.expected === 0 ? believed(run) : undefined;
    },
    find: (stream, id) =>
      runs
        .get(stream)
        ?.events.findLast((one) => one.id === id)
        ?.read(),
    forget(stream) {
      const run = runs.get(stream);
      if (run !== undefined) dropAll(stream, run);
    },
    size: () => ({ streams: runs.size, events: held.size, bytes: sizeBytes }),
  };
};

const believed = (run: Run | undefined): number | undefined =>
  run === undefined || run.doubtful || run.newest === 0 ? undefined : run.newest;

/** As many from the first on as are not too much, and the one that is. */
const cut = (events: readonly Held[], maxBytes: number): readonly Held[] => {
  let left = maxBytes;
  const end = events.findIndex(({ sizeBytes }) => (left -= sizeBytes) < 0);
  return end === -1 ? events : events.slice(0, end + 1);
};

/** Parsed by the first reader, for all. */
const reader = (offset: number, id: EventId, text: string): (() => Stored) => {
  let event: Stored | undefined;
  return () => (event ??= freeze({ ...(JSON.parse(text) as AnyEvent), id, offset } as Stored));
};

const freeze = <Value>(value: Value): Value => {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
};
