/** Transient failures, and requests that are retried until they succeed. */
import { type Clock, type ErrorCode, type HearthError, isHearthError } from "@hearth/protocol";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Errors of a house that cannot be reached, or that cannot read its database now. */
const UNAVAILABLE_CODES: ReadonlySet<ErrorCode> = new Set([
  "house.unreachable",
  "house.closing",
  "store.unavailable",
  "store.locked",
]);

/** Whether the same request may succeed later without any change. */
export const isTransient = (error: HearthError): boolean =>
  UNAVAILABLE_CODES.has(error.code) || error.code === "request.timeout";

/** Whether a stream may open later. After a bug of the house, its followers connect again. */
export const isTransientForStream = (error: HearthError): boolean =>
  UNAVAILABLE_CODES.has(error.code) || error.code === "house.bug";

export interface RetryOptions {
  readonly clock: Clock;
  /** Ends the retries when it aborts. The last failure is then thrown. */
  readonly signal: AbortSignal;
  readonly onFailure?: (error: HearthError, retryAt: number) => void;
}

/** Retries a request with growing pauses until the house answers. Throws permanent failures. */
export const retryUntilAnswered = async <Answer>(
  request: () => Promise<Answer>,
  { clock, signal, onFailure }: RetryOptions,
): Promise<Answer> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || !isHearthError(error) || !isTransient(error)) throw error;
      onFailure?.(error, clock.now() + pauseMs);
      await clock.sleep(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
};
