/**
 * Keeps background readers running. A reader that failed is logged, restarted after a growing
 * pause, and shown as failing until it has run for a while.
 */
import { createLinkedAbort, type Clock } from "@hearth/protocol";
import type { Log } from "./log/log.ts";

export interface ReaderState {
  readonly name: string;
  /**
   * Number of consecutive failures. 0 once the reader has run for `STEADY_MS` since the last one.
   */
  readonly failures: number;
  readonly lastError?: string;
  /** UTC milliseconds of the reader's next start, while it waits for it. */
  readonly nextTryAt?: number;
}

export interface Supervisor {
  /**
   * Runs a reader until `signal` aborts or the reader resolves. Never rejects. Each run has its
   * own signal, which aborts when the run ends, so that a failed run does not continue beside the
   * next one.
   */
  run(name: string, reader: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Returns every started reader whose signal has not aborted, in the order of their starts. */
  list(): readonly ReaderState[];
}

export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 60_000;
/** Time without a failure after which a reader counts as working again. */
export const STEADY_MS = 30_000;

interface Entry {
  failures: number;
  lastError: string | undefined;
  /** The next start in wall clock and monotonic time. */
  nextTryAt: number | undefined;
  startedAt: number;
}

export const createSupervisor = (options: {
  readonly clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  readonly log: Log;
}): Supervisor => {
  const { clock, log } = options;
  const entries = new Map<string, Entry>();

  const isSteady = ({ nextTryAt, startedAt }: Entry): boolean =>
    nextTryAt === undefined && clock.monotonic() - startedAt >= STEADY_MS;

  const recordFailure = (name: string, entry: Entry, error: unknown): number => {
    if (isSteady(entry)) entry.failures = 0;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** entry.failures, LONGEST_PAUSE_MS);
    entry.failures += 1;
    entry.lastError = error instanceof Error ? error.message : String(error);
    entry.nextTryAt = clock.now() + pauseMs;
    log.write("error", "a background reader failed and will be restarted", {
      reader: name,
      failures: entry.failures,
      pauseMs,
      error,
    });
    return pauseMs;
  };

  return {
    async run(name, reader, signal) {
      const entry: Entry = { failures: 0, lastError: undefined, nextTryAt: undefined, startedAt: 0 };
      entries.set(name, entry);
      while (!signal.aborted) {
        entry.nextTryAt = undefined;
        entry.startedAt = clock.monotonic();
        using runAbort = createLinkedAbort(signal);
        try {
          await reader(runAbort.signal);
          if (signal.aborted) break;
          entry.failures = 0;
          return;
        } catch (error) {
          runAbort.abort();
          // An error while the house closes is not a failure.
          if (signal.aborted) break;
          await clock.sleep(recordFailure(name, entry, error), signal);
        }
      }
      entries.delete(name);
    },

    list: () =>
      [...entries].map(([name, entry]) => ({
        name,
        failures: isSteady(entry) ? 0 : entry.failures,
        ...(entry.lastError === undefined ? {} : { lastError: entry.lastError }),
        ...(entry.nextTryAt === undefined ? {} : { nextTryAt: entry.nextTryAt }),
      })),
  };
};

/**
 * Observes background work: logs its failure, which would otherwise be an unhandled rejection.
 * `message` is the message of the log entry.
 */
export const observe = (
  work: Promise<unknown>,
  log: Pick<Log, "write">,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void => {
  work.catch((error: unknown) => {
    log.write("error", message, { ...fields, error });
  });
};
