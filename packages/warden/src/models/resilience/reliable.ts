/**
 * A provider that consists of a chain of models and uses the first one that answers. Each model has
 * a circuit, so that a model that is down is skipped. After text was shown, no further model is
 * tried.
 */
import {
  type ErrorCode,
  fileKinds,
  fromErrorBody,
  type HearthError,
  isHearthError,
  noUsage,
  toErrorBody,
  type Usage,
} from "@hearth/protocol";
import { type FailedAttempt, canTryAnotherModel, sumUsage, truncatedAttempt, withUsage } from "./attempt.ts";
import type { Admission, Circuit, CircuitPause } from "./circuit.ts";
import type { Provider } from "../provider.ts";
import { modelNameOf, ONLY_MODEL, type OpenProvider, forwardsModelName, toModelTarget } from "../catalog/target.ts";
import { showDuration, toSentence } from "../catalog/words.ts";

export interface ReliableOptions {
  /** In the order of attempts. */
  readonly targets: readonly string[];
  readonly open: OpenProvider;
  /** By the full model name. All chains of a house share the circuit of a model. */
  readonly circuitOf: (model: string) => Circuit;
}

export const createReliableProvider = ({ targets, open, circuitOf }: ReliableOptions): Provider => {
  const forwarding = targets.filter(forwardsModelName);
  return {
    kind: "reliable",
    traits: { offline: false, carries: fileKinds },

    async *stream(request, signal, context) {
      const tried: TriedModel[] = [];
      let spent: Usage | undefined;
      for (const target of targets) {
        const place = toModelTarget(target, request.model);
        const model = modelNameOf(place);
        const circuit = circuitOf(model);
        const admission = circuit.admit();
        if (admission === undefined) {
          tried.push(skipped(model, circuit.remainingPause()));
          continue;
        }
        let failure = truncatedAttempt;
        let shown = false;
        let isDone = false;
        try {
          const provider = await open(place.provider);
          for await (const event of provider.stream({ ...request, model: place.model }, signal, context)) {
            if (event.type === "text-delta") {
              shown = true;
              yield event;
            } else if (event.type === "retry") {
              yield event;
            } else if (event.type === "end") {
              admission.reportAnswer();
              yield { ...event, usage: sumUsage(spent, event.usage) ?? noUsage, model: event.model ?? model };
              return;
            } else failure = event;
          }
          isDone = true;
        } catch (error) {
          if (!isHearthError(error)) throw error;
          failure = { type: "error", error: toErrorBody(error) };
          isDone = true;
        } finally {
          // A reader that abandons the stream leaves the result unknown.
          if (!isDone) admission.reportUnknown();
        }
        report(admission, failure);
        spent = sumUsage(spent, failure.usage);
        tried.push({ model, failure, words: failure.error.message });
        if (shown || !canTryAnotherModel(failure.error.code)) break;
      }
      yield withUsage(describe(tried), spent);
    },

    async models(signal) {
      if (forwarding.length === 0) return [ONLY_MODEL];
      let failure: HearthError = fromErrorBody(truncatedAttempt.error);
      for (const target of forwarding) {
        try {
          return await (await open(toModelTarget(target, "").provider)).models(signal);
        } catch (error) {
          if (!isHearthError(error)) throw error;
          failure = error;
          if (!canTryAnotherModel(error.code)) break;
        }
      }
      throw failure;
    },
  };
};

interface TriedModel {
  readonly model: string;
  readonly failure: FailedAttempt;
  /** The phrase for the attempt in the summary of all attempts. */
  readonly words: string;
}

/** Returns a skipped model with its last failure. */
const skipped = (model: string, rest: CircuitPause | undefined): TriedModel => {
  if (rest === undefined) return { model, failure: truncatedAttempt, words: truncatedAttempt.error.message };
  const { ms, failures, error } = rest;
  return {
    model,
    failure: { type: "error", error, retryAfterMs: ms },
    words: `skipped: it ${describePause(rest)} after ${failures === 1 ? "a failure" : `${failures} failures`}. Last error: ${error.message}`,
  };
};

export const describePause = ({ ms }: Pick<CircuitPause, "ms">): string =>
  ms === 0 ? "is being tested" : `is paused for ${showDuration(ms)}`;

/** These refusals show that the model is available. */
const PROVES_AVAILABILITY: ReadonlySet<ErrorCode> = new Set(["provider.refused", "provider.context-overflow"]);
/** These failures say nothing about the model. */
const INCONCLUSIVE: ReadonlySet<ErrorCode> = new Set(["provider.aborted", "provider.unknown", "budget.spent"]);

const report = (admission: Admission, { error, retryAfterMs }: FailedAttempt): void => {
  if (PROVES_AVAILABILITY.has(error.code)) admission.reportAnswer();
  else if (INCONCLUSIVE.has(error.code)) admission.reportUnknown();
  else admission.reportFailure(error, retryAfterMs);
};

/** The last failure with a summary of all attempts. A single attempt is returned unchanged. */
const describe = (tried: readonly TriedModel[]): FailedAttempt => {
  const last = tried.at(-1) ?? { model: "", failure: truncatedAttempt, words: truncatedAttempt.error.message };
  const { error } = last.failure;
  if (error.code === "provider.aborted") return last.failure;
  const summary = tried.map(({ model, words }) => `${model}: ${toSentence(words)}`).join(" ");
  const isUnchanged = tried.length === 1 && last.words === error.message;
  const message = isUnchanged
    ? error.message
    : tried.length === 1
      ? summary
      : `None of the ${tried.length} models answered. ${summary}`;
  const waits = tried.flatMap(({ failure }) => failure.retryAfterMs ?? []);
  return {
    type: "error",
    error: { ...error, message },
    ...(waits.length < tried.length ? {} : { retryAfterMs: Math.min(...waits) }),
  };
};
