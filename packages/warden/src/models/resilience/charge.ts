/**
 * The gate before each request to a vendor. One model call may need several requests: retries and
 * fallback models. The payer admits each of them separately and learns its outcome.
 */
import type { ErrorBody, ErrorCode, Usage } from "@hearth/protocol";

export interface ChargeGate {
  /**
   * Admits a request to `model`, a `provider/model`. May wait for running requests. An error in
   * the result says why the request is not allowed. Throws `store.unavailable`.
   */
  admit(model: string, signal: AbortSignal): Promise<Charge | { readonly error: ErrorBody }>;
}

/** An admitted request. */
export interface Charge {
  readonly maxOutputTokens: number;
  /**
   * Settles the request with its outcome. Only the first call has an effect. Returns the usage
   * with its cost.
   */
  settle(outcome: RequestOutcome): Usage;
}

export interface RequestOutcome {
  /** Usage that the vendor reported. */
  readonly usage?: Usage | undefined;
  /** Number of bytes of the answer that arrived, including thoughts and calls. */
  readonly saidBytes: number;
  /** The error code, `ended` for success, or `left` if the reader abandoned the stream. */
  readonly end: ErrorCode | "ended" | "left";
}
