/**
 * The outcome of one attempt at an answer: whether another attempt is worthwhile, and the usage.
 */
import { addUsage, type ErrorCode, type ModelEvent, type Usage } from "@hearth/protocol";

export type FailedAttempt = Extract<ModelEvent, { readonly type: "error" }>;

/** The failure of a stream that stops without its terminal event. */
export const truncatedAttempt: FailedAttempt = {
  type: "error",
  error: {
    code: "provider.truncated",
    message: "The answer broke off before its end.",
    hint: "Try again. If this repeats, look for a proxy that cuts off long answers.",
  },
};

/** Whether the same request may succeed shortly. */
export const isRetryable = (code: ErrorCode): boolean => TRANSIENT_CODES.has(code);

/**
 * Whether another model may answer the request. A conversation that is too long fails with every
 * model, and a stop is final.
 */
export const canTryAnotherModel = (code: ErrorCode): boolean =>
  code !== "provider.aborted" && code !== "provider.context-overflow";

const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set([
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.timeout",
  "provider.truncated",
  "provider.failed",
]);

/** Adds the usage of this attempt to the reported usage of earlier ones. */
export const sumUsage = (previousUsage: Usage | undefined, usage: Usage | undefined): Usage | undefined =>
  previousUsage === undefined || usage === undefined ? (previousUsage ?? usage) : addUsage(previousUsage, usage);

export const withUsage = (failure: FailedAttempt, usage: Usage | undefined): FailedAttempt =>
  usage === undefined ? failure : { ...failure, usage };
