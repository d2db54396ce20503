/**
 * Wraps a provider and retries transient failures. It retries only before the first delta, because
 * a delta cannot be withdrawn. A later failure is passed on. A caller that can restart the output,
 * as an activation does with `restart`, may retry.
 */
import { type Clock, noUsage, type Usage, type World } from "@hearth/protocol";
import { type FailedAttempt, isRetryable, sumUsage, truncatedAttempt, withUsage } from "./attempt.ts";
import type { Provider } from "../provider.ts";
import { showDuration, toSentence } from "../catalog/words.ts";

export interface RetryingOptions {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly random: World["random"];
  /** Number of attempts after the first one, at most `MAX_RETRIES`. */
  readonly retries: number;
  /**
   * Maximum time after the first attempt at which another one begins. A running attempt may
   * continue. Default 60 s.
   */
  readonly budgetMs?: number;
}

export const MAX_RETRIES = 3;
const BUDGET_MS = 60_000;
/** Maximum pause before the second attempt. It doubles with each attempt. */
const FIRST_PAUSE_MS = 1_000;

export const createRetryingProvider = (options: RetryingOptions): Provider => {
  const { provider, clock, random, budgetMs = BUDGET_MS } = options;
  const retries = Math.min(options.retries, MAX_RETRIES);

  /**
   * Returns a random pause up to the maximum, so that calls that failed together do not retry
   * together.
   */
  const pauseAfter = (attempt: number, { retryAfterMs = 0 }: FailedAttempt): number =>
    retryAfterMs + Math.ceil(randomFraction(random) * FIRST_PAUSE_MS * 2 ** (attempt - 1));

  return {
    kind: provider.kind,
    traits: provider.traits,
    models: (signal) => provider.models(signal),
    async *stream(request, signal, context) {
      const startedAt = clock.monotonic();
      let usage: Usage | undefined;
      let lastFailure: FailedAttempt | undefined;
      for (let attempt = 1; ; attempt += 1) {
        const previous: FailedAttempt | undefined = lastFailure;
        let failure = truncatedAttempt;
        let hasOutput = false;
        for await (const event of provider.stream(request, signal, context)) {
          if (event.type === "text-delta") {
            hasOutput = true;
            yield event;
          } else if (event.type === "retry") {
            yield event;
          } else if (event.type === "end") {
            yield usage === undefined ? event : { ...event, usage: sumUsage(usage, event.usage) ?? noUsage };
            return;
          } else failure = event;
        }
        usage = sumUsage(usage, failure.usage);
        if (previous !== undefined && failure.error.code === "budget.spent") {
          yield withUsage(toBudgetFailure(failure, previous), usage);
          return;
        }
        lastFailure = failure;
        const elapsedMs = clock.monotonic() - startedAt;
        const pauseMs = pauseAfter(attempt, failure);
        const isInTime = elapsedMs + pauseMs < budgetMs;
        const isWorthwhile = !hasOutput && isRetryable(failure.error.code);
        if (!isWorthwhile || !isInTime || attempt > retries) {
          const waitMs = isWorthwhile && !isInTime ? failure.retryAfterMs : undefined;
          yield withUsage(describeFailure(failure, attempt, elapsedMs, waitMs), usage);
          return;
        }
        const retryAt = clock.now() + pauseMs;
        yield { type: "retry", error: failure.error, retryAt, attempt: attempt + 1, attempts: retries + 1 };
        await clock.sleep(pauseMs, signal);
      }
    },
  };
};

/** Returns the failure if another attempt was worthwhile but the budget did not admit it. */
const toBudgetFailure = ({ error }: FailedAttempt, previous: FailedAttempt): FailedAttempt => ({
  type: "error",
  error: { ...error, message: `${toSentence(previous.error.message)} It was not retried: ${error.message}` },
});

/** Returns a random number from 0 up to 1. */
const randomFraction = (random: World["random"]): number =>
  random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;

const describeFailure = (
  failure: FailedAttempt,
  attempts: number,
  elapsedMs: number,
  waitMs: number | undefined,
): FailedAttempt => {
  const { error } = failure;
  if (error.code === "provider.aborted" || (attempts === 1 && waitMs === undefined)) return failure;
  const triedText = attempts === 1 ? "" : ` Tried ${attempts} times in ${showDuration(elapsedMs)}.`;
  const waitText =
    waitMs === undefined ? "" : ` It requests a wait of ${showDuration(waitMs)}, which is longer than Hearth waits.`;
  const hint =
    waitMs === undefined
      ? error.hint
      : `Try again in ${showDuration(waitMs)}, or give the agent a fallback model: hearth agent edit NAME --fallback PROVIDER/MODEL`;
  return {
    ...failure,
    error: {
      ...error,
      message: `${toSentence(error.message)}${triedText}${waitText}`,
      ...(hint === undefined ? {} : { hint }),
    },
  };
};
