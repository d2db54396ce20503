/**
 * Wakes readers that wait for streams to grow. It holds no events, because readers continue from
 * their own positions.
 */
import type { Stored, StreamKind, StreamName, StreamOf } from "@hearth/protocol";

export interface AppendSignal {
  /** Signals that a stream grew. */
  notify(stream: StreamName): void;
  /** Signals the end of a stream. Its followers finish when `readNext` returns nothing. */
  end(stream: StreamName): void;
  /**
   * Yields the results of `readNext` repeatedly. If `readNext` returns nothing, waits for the next
   * signal. Ends when `readNext` returns `ended` or `signal` aborts.
   */
  follow(
    stream: StreamName,
    signal: AbortSignal,
    readNext: () => Promise<readonly Stored[] | "ended">,
  ): AsyncIterable<readonly Stored[]>;
  /**
   * Yields the names of streams of these kinds that were signalled since the last batch. Begins
   * with the call, and ends when `signal` aborts.
   */
  watch<Kind extends StreamKind>(
    kinds: readonly Kind[],
    signal: AbortSignal,
  ): AsyncIterable<ReadonlySet<StreamOf<Kind>>>;
  /** Returns the number of followed streams and watchers. */
  size(): number;
}

type Listener = (stream: StreamName, isLast?: true) => void;

export const createAppendSignal = (): AppendSignal => {
  const followers = new Map<StreamName, Set<Listener>>();
  /** Watchers by the kind of stream, so that a signal costs nothing for the others. */
  const watchers = new Map<string, Set<Listener>>();

  const addFollower = (stream: StreamName, listener: Listener): (() => void) => {
    const listeners = followers.get(stream) ?? new Set();
    followers.set(stream, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      // A follower may leave twice. The second call must not affect newer followers.
      if (listeners.size === 0 && followers.get(stream) === listeners) followers.delete(stream);
    };
  };

  return {
    notify(stream) {
      for (const listener of followers.get(stream) ?? []) listener(stream);
      for (const listener of watchers.get(kindOf(stream)) ?? []) listener(stream);
    },
    end(stream) {
      for (const listener of followers.get(stream) ?? []) listener(stream, true);
    },
    async *follow(stream, signal, readNext) {
      const alarm = createResettableSignal();
      let hasEnded = false;
      const removeFollower = addFollower(stream, (_stream, isLast) => {
        hasEnded ||= isLast === true;
        alarm.set();
      });
      // Leaves on the abort itself, because an abandoned loop may never resume to end.
      const stop = (): void => {
        removeFollower();
        signal.removeEventListener("abort", stop);
        alarm.set();
      };
      signal.addEventListener("abort", stop);
      try {
        while (!signal.aborted) {
          // The alarm is reset before the read, so that a signal during the read is noticed.
          alarm.reset();
          const isLast = hasEnded;
          const batch = await readNext();
          if (signal.aborted || batch === "ended") return;
          if (batch.length > 0) yield batch;
          else if (isLast) return;
          else await alarm.wait();
        }
      } finally {
        stop();
      }
    },
    watch<Kind extends StreamKind>(kinds: readonly Kind[], signal: AbortSignal) {
      const alarm = createResettableSignal();
      let names = new Set<StreamOf<Kind>>();
      const recordGrowth: Listener = (stream) => {
        names.add(stream as StreamOf<Kind>);
        alarm.set();
      };
      const stop = (): void => {
        for (const kind of kinds) watchers.get(kind)?.delete(recordGrowth);
        signal.removeEventListener("abort", stop);
        alarm.set();
      };
      if (!signal.aborted) {
        for (const kind of kinds) watchers.set(kind, (watchers.get(kind) ?? new Set()).add(recordGrowth));
        signal.addEventListener("abort", stop);
      }
      return (async function* () {
        try {
          while (!signal.aborted) {
            alarm.reset();
            const grownStreams = names;
            names = new Set();
            if (grownStreams.size > 0) yield grownStreams;
            else await alarm.wait();
          }
        } finally {
          stop();
        }
      })();
    },
    size: () => followers.size + new Set([...watchers.values()].flatMap((listeners) => [...listeners])).size,
  };
};

const kindOf = (stream: StreamName): string => stream.slice(0, stream.indexOf(":"));

/** Remembers a signal since the last reset. */
const createResettableSignal = (): { reset(): void; set(): void; wait(): Promise<void> } => {
  let isSet = false;
  let wake = (): void => undefined;
  return {
    reset() {
      isSet = false;
    },
    set() {
      isSet = true;
      wake();
    },
    wait: () => (isSet ? Promise.resolve() : new Promise((resolve) => (wake = resolve))),
  };
};
