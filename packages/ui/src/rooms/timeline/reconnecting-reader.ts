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
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const listeners = createListeners();
  let pauseController = new AbortController();
  let state: ReaderState = { reader: open(), isTrying: false };

  const setState = (newState: ReaderState): void => {
    state = newState;
    listeners.call();
  };

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const { reader } = state;
      await waitForState(reader, ({ kind }) => kind !== "loading", signal);
      if (reader.snapshot().state.kind === "ready") pauseMs = FIRST_PAUSE_MS;
      await waitForState(reader, ({ kind }) => kind === "failed", signal);
      if (signal.aborted) return;
      pauseController = new AbortController();
      await clock.sleep(pauseMs, AbortSignal.any([pauseController.signal, signal]));
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await replace(reader);
      if (signal.aborted) return;
    }
  };

  const replace = async (failedReader: RoomReader): Promise<void> => {
    const newReader = open();
    setState({ reader: failedReader, isTrying: true });
    await waitForState(newReader, ({ kind }) => kind !== "loading", signal);
    if (signal.aborted) return newReader[Symbol.dispose]();
    failedReader[Symbol.dispose]();
    setState({ reader: newReader, isTrying: false });
  };
  observe(run());

  return {
    snapshot: () => state,
    onChange: listeners.add,
    tryNow: () => pauseController.abort(),
    [Symbol.dispose]() {
      lifetime.abort();
      state.reader[Symbol.dispose]();
    },
  };
};

type State = ReturnType<RoomReader["snapshot"]>["state"];

/** Resolves when the room has this state, or when the signal aborts. */
const waitForState = (reader: RoomReader, matches: (state: State) => boolean, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (!signal.aborted && !matches(reader.snapshot().state)) return;
      stop();
      signal.removeEventListener("abort", check);
      resolve();
    };
    const stop = reader.onChange(check);
    signal.addEventListener("abort", check);
    check();
  });
