/**
 * What stands before each request that goes to a vendor. A call of a model may take several: it is tried again, and others are asked in its place.
 * Whoever pays lets each of them on by itself, and is told what each came to.
 */
import type { ErrorBody, ErrorCode, Usage } from "@hearth/protocol";

export interface ChargeGate {
  /** `model`: whom it goes to, `provider/model`. May wait for others that run. An error is the reason why it may not be made. Throws `store.unavailable`. */
  begin(model: string, signal: AbortSignal): Promise<Charge | { readonly error: ErrorBody }>;
}

/** One request that may be made. */
export interface Charge {
  readonly maxOutputTokens: number;
  /** What it came to; later words change nothing. What it is counted as: the same with its cost. */
  settle(came: RequestOutcome): Usage;
}

export interface RequestOutcome {
  /** What the vendor told. */
  readonly usage?: Usage | undefined;
  /** How much of an answer came, thoughts and calls with it. */
  readonly saidBytes: number;
  /** How it failed; `ended`: it did not. `left`: nobody heard its end. */
  readonly end: ErrorCode | "ended" | "left";
}
