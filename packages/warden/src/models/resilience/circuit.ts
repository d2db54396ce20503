/**
 * The circuit of a model. Several failures in a short time open it. After a pause it allows one
 * call, whose result decides. It makes no calls itself: its callers report the results.
 */
import type { Clock, ErrorBody } from "@hearth/protocol";

export interface Circuit {
  /**
   * Returns the permission to call, or undefined while the circuit is open or another call probes
   * it.
   */
  admit(): Admission | undefined;
  /** Returns the remaining pause, or undefined while the circuit is closed. */
  remainingPause(): CircuitPause | undefined;
  /** Closes the circuit, because the model has answered. */
  close(): void;
}

/** The permission for one call. Only the first report counts. */
export interface Admission {
  /** Reports that the model responded, with any answer. */
  reportAnswer(): void;
  /** Reports a failed call. `retryAfterMs` is the pause that the vendor requested. */
  reportFailure(error: ErrorBody, retryAfterMs?: number): void;
  /** Reports a call with an unknown result. */
  reportUnknown(): void;
}

export interface CircuitPause {
  /** Remaining time; 0 if the next call may probe the model. */
  readonly ms: number;
  readonly failures: number;
  /** The last failure. */
  readonly error: ErrorBody;
}

/** Number of failures within the time below that opens the circuit. */
const MAX_FAILURES = 3;
const WINDOW_MS = 60_000;
const PAUSE_MS = 30_000;
/** Maximum pause. A longer `retryAfterMs` is shortened to it. */
const MAX_PAUSE_MS = 10 * 60_000;

export const createCircuit = (clock: Clock): Circuit => {
  let failures: readonly number[] = [];
  let pause: { readonly until: number; readonly error: ErrorBody } | undefined;
  let probe: Admission | undefined;

  const recordFailure = (error: ErrorBody, retryAfterMs: number): void => {
    const now = clock.monotonic();
    failures = [...failures.filter((failedAt) => failedAt > now - WINDOW_MS), now];
    if (pause === undefined && failures.length < MAX_FAILURES && retryAfterMs < PAUSE_MS) return;
    const pauseMs = Math.max(PAUSE_MS, Math.min(retryAfterMs, MAX_PAUSE_MS));
    pause = { until: now + pauseMs, error };
  };

  const close = (): void => {
    failures = [];
    pause = undefined;
  };

  const createAdmission = (): Admission => {
    let isReported = false;
    /** Handles the first report of the admission and ignores later ones. Frees the probe. */
    const reportOnce = (handleReport: () => void): void => {
      if (isReported) return;
      isReported = true;
      if (probe === admission) probe = undefined;
      handleReport();
    };
    const admission: Admission = {
      reportAnswer: () => reportOnce(close),
      reportFailure: (error, retryAfterMs = 0) => reportOnce(() => recordFailure(error, retryAfterMs)),
      reportUnknown: () => reportOnce(() => {}),
    };
    return admission;
  };

  return {
    admit() {
      if (pause === undefined) return createAdmission();
      if (clock.monotonic() < pause.until || probe !== undefined) return undefined;
      probe = createAdmission();
      return probe;
    },
    close,
    remainingPause() {
      if (pause === undefined) return undefined;
      return { ms: Math.max(0, pause.until - clock.monotonic()), failures: failures.length, error: pause.error };
    },
  };
};
