/**
 * Whether a model is worth asking. After several failures in a short time it rests; then one call is let through, and what
 * becomes of it decides. Knows no wires: whoever calls tells what happened.
 */
import type { Clock, ErrorBody } from "@hearth/protocol";

export interface Circuit {
  /** Leave to call, or nothing while it rests or another call finds out whether it is back. */
  admit(): Admission | undefined;
  /** Nothing while it may be called as usual. */
  rest(): Rest | undefined;
  /** Closes it: somebody has seen that it answers. */
  mend(): void;
}

/** The first word counts. */
export interface Admission {
  /** It is there, whatever it said. */
  answered(): void;
  /** `retryAfterMs`: it asked to be left alone so long. */
  failed(error: ErrorBody, retryAfterMs?: number): void;
  /** Nobody learned anything. */
  left(): void;
}

export interface Rest {
  /** How long still; 0 when the next call may find out. */
  readonly ms: number;
  readonly failures: number;
  /** The last failure. */
  readonly error: ErrorBody;
}

/** So many failures in so long a time open it. */
const FAILURES = 3;
const WINDOW_MS = 60_000;
const PAUSE_MS = 30_000;
/** A longer wait than this is not believed, only tried again. */
const LONGEST_PAUSE_MS = 10 * 60_000;

export const createCircuit = (clock: Clock): Circuit => {
  let failures: readonly number[] = [];
  let open: { readonly until: number; readonly error: ErrorBody } | undefined;
  let probe: Admission | undefined;

  const fail = (error: ErrorBody, retryAfterMs: number): void => {
    const now = clock.monotonic();
    failures = [...failures.filter((at) => at > now - WINDOW_MS), now];
    if (open === undefined && failures.length < FAILURES && retryAfterMs < PAUSE_MS) return;
    const pauseMs = Math.max(PAUSE_MS, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    open = { until: now + pauseMs, error };
  };

  const mend = (): void => {
    failures = [];
    open = undefined;
  };

  const newAdmission = (): Admission => {
    let told = false;
    /** Does it once, and makes room for the next call that finds out. */
    const once = (react: () => void): void => {
      if (told) return;
      told = true;
      if (probe === admission) probe = undefined;
      react();
    };
    const admission: Admission = {
      answered: () => once(mend),
      failed: (error, retryAfterMs = 0) => once(() => fail(error, retryAfterMs)),
      left: () => once(() => {}),
    };
    return admission;
  };

  return {
    admit() {
      if (open === undefined) return newAdmission();
      if (clock.monotonic() < open.until || probe !== undefined) return undefined;
      probe = newAdmission();
      return probe;
    },
    mend,
    rest() {
      if (open === undefined) return undefined;
      return { ms: Math.max(0, open.until - clock.monotonic()), failures: failures.length, error: open.error };
    },
  };
};
