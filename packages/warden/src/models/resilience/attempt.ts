/** What becomes of one attempt at an answer, for those who may make another: is it worth one, and what was paid for it. */
import { addUsage, type ErrorCode, type ModelEvent, type Usage } from "@hearth/protocol";

export type FailedAttempt = Extract<ModelEvent, { readonly type: "error" }>;
export type EndedAttempt = Extract<ModelEvent, { readonly type: "end" }>;

/** What an attempt comes to whose stream just stops: the terminal event alone makes an answer. */
export const unended: FailedAttempt = {
  type: "error",
  error: {
    code: "provider.truncated",
    message: "The answer broke off before its end.",
    hint: "Try again. If it stays so, look for a proxy that cuts long answers.",
  },
};

/** The same request may find an answer in a moment. */
export const mayPass = (code: ErrorCode): boolean => PASSING.has(code);

/** Another model may have an answer to the same request. Too long a conversation is the conversation's affair, and a stop is a stop. */
export const mayFindAnother = (code: ErrorCode): boolean =>
  code !== "provider.aborted" && code !== "provider.context-overflow";

const PASSING: ReadonlySet<ErrorCode> = new Set([
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.timeout",
  "provider.truncated",
  "provider.failed",
]);

/** What earlier attempts cost and this one, as far as anybody reported it. */
export const sumUsage = (before: Usage | undefined, usage: Usage | undefined): Usage | undefined =>
  before === undefined || usage === undefined ? (before ?? usage) : addUsage(before, usage);

export const withUsage = (failure: FailedAttempt, usage: Usage | undefined): FailedAttempt =>
  usage === undefined ? failure : { ...failure, usage };
