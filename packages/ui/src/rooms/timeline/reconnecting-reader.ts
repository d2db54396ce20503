/** Keeps a room open: after a failure it reopens with growing pauses, or immediately on request. */
import { observe, createListeners, type RoomReader } from "@hearth/client";
import type { Clock } from "@hearth/protocol";

/** The state of the reader. It is the same object until something changes. */
export interface ReaderState {
  readonly reader: RoomReader;
  /** Whether a new reader is being opened. `snapshot` stays until that reader has an answer. */
  readonly isTrying: boolean;
}

/**
 * Contract, checked in reconnecting-reader.test.ts:
 * - a failed reader is replaced by a new one, once that is ready or has failed too
 * - the pauses between attempts grow to half a minute; `tryNow` ends the current pause
 * - at most two readers are open at a time, and none after disposal
 */
export interface ReconnectingReader extends Disposable {
  readonly snapshot: () => ReaderState;
  /** Returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void;
  readonly tryNow: () => void;
}

export interface ReconnectingReaderOptions {
  readonly open: () => RoomReader;
  readonly clock: Pick<Clock, "sleep">;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export const createReconnectingReader = ({ open, clock }: ReconnectingReaderOptions): ReconnectingReader => {
  const life = new AbortController();
  const { signal } = life;
  const listeners = createListeners();
  let pause = new AbortController();
  let seen: ReaderState = { reader: open(), isTrying: false };

  const show = (next: ReaderState): void => {
    seen = next;
    listeners.call();
  };

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const { reader } = seen;
      await waitForState(reader, ({ kind }) => kind !== "loading", signal);
      if (reader.snapshot().state.kind === "ready") pauseMs = FIRST_PAUSE_MS;
      await waitForState(reader, ({ kind }) => kind === "failed", signal);
      if (signal.aborted) return;
      pause = new AbortController();
      await clock.sleep(pauseMs, AbortSignal.any([pause.signal, signal]));
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await replace(reader);
      if (signal.aborted) return;
    }
  };

  const replace = async (old: RoomReader): Promise<void> => {
    const next = open();
    show({ reader: old, isTrying: true });
    await waitForState(next, ({ kind }) => kind !== "loading", signal);
    if (signal.aborted) return next[Symbol.dispose]();
    old[Symbol.dispose]();
    show({ reader: next, isTrying: false });
  };
  observe(run());

  return {
    snapshot: () => seen,
    onChange: listeners.add,
    tryNow: () => pause.abort(),
    [Symbol.dispose]() {
      life.abort();
      seen.reader[Symbol.dispose]();
    },
  };
};

type State = ReturnType<RoomReader["snapshot"]>["state"];

/** Resolves when the room has this state, or when the signal aborts. */
const waitForState = (reader: RoomReader, isSo: (state: State) => boolean, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!signal.aborted && !isSo(reader.snapshot().state)) return;
      stop();
      signal.removeEventListener("abort", look);
      resolve();
    };
    const stop = reader.onChange(look);
    signal.addEventListener("abort", look);
    look();
  });
