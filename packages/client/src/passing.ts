/** Transient failures, and requests that are retried until they succeed. */
import { type Clock, type HearthError, isHearthError } from "@hearth/protocol";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

const PASSING: ReadonlySet<string> = new Set([
  "house.unreachable",
  "house.closing",
  "store.unavailable",
  "store.locked",
  "request.timeout",
]);

export const isPassing = (error: unknown): error is HearthError => isHearthError(error) && PASSING.has(error.code);

export interface AskingOptions {
  readonly clock: Clock;
  /** Aborting ends the retries; the last failure is thrown. */
  readonly signal: AbortSignal;
  readonly onFailure?: (error: HearthError, retryAt: number) => void;
}

/** Retries with growing pauses until there is an answer. Throws permanent failures. */
export const askUntilAnswered = async <Answer>(
  ask: () => Promise<Answer>,
  { clock, signal, onFailure }: AskingOptions,
): Promise<Answer> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      onFailure?.(error, clock.now() + pauseMs);
      await clock.sleep(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
};
