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
  const forwardingTargets = targets.filter(forwardsModelName);
  return {
    kind: "reliable",
    traits: { offline: false, carries: fileKinds },

    async *stream(request, signal, context) {
      const attempts: TriedModel[] = [];
      let usage: Usage | undefined;
      for (const target of targets) {
        const modelTarget = toModelTarget(target, request.model);
        const model = modelNameOf(modelTarget);
        const circuit = circuitOf(model);
        const admission = circuit.admit();
        if (admission === undefined) {
          attempts.push(toSkipped(model, circuit.remainingPause()));
          continue;
        }
        let failure = truncatedAttempt;
        let hasOutput = false;
        let hasResult = false;
        try {
          const provider = await open(modelTarget.provider);
          for await (const event of provider.stream({ ...request, model: modelTarget.model }, signal, context)) {
            if (event.type === "text-delta") {
              hasOutput = true;
              yield event;
            } else if (event.type === "retry") {
              yield event;
            } else if (event.type === "end") {
              admission.reportAnswer();
              yield { ...event, usage: sumUsage(usage, event.usage) ?? noUsage, model: event.model ?? model };
              return;
            } else failure = event;
          }
          hasResult = true;
        } catch (error) {
          if (!isHearthError(error)) throw error;
          failure = { type: "error", error: toErrorBody(error) };
          hasResult = true;
        } finally {
          // A reader that abandons the stream leaves the result unknown.
          if (!hasResult) admission.reportUnknown();
        }
        reportOutcome(admission, failure);
        usage = sumUsage(usage, failure.usage);
        attempts.push({ model, failure, description: failure.error.message });
        if (hasOutput || !canTryAnotherModel(failure.error.code)) break;
      }
      yield withUsage(summarize(attempts), usage);
    },

    async models(signal) {
      if (forwardingTargets.length === 0) return [ONLY_MODEL];
      let failure: HearthError = fromErrorBody(truncatedAttempt.error);
      for (const target of forwardingTargets) {
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
  readonly description: string;
}

/** Returns a skipped model with its last failure. */
const toSkipped = (model: string, pause: CircuitPause | undefined): TriedModel => {
  if (pause === undefined) return { model, failure: truncatedAttempt, description: truncatedAttempt.error.message };
  const { ms, failures, error } = pause;
  return {
    model,
    failure: { type: "error", error, retryAfterMs: ms },
    description: `skipped: it ${describePause(pause)} after ${failures === 1 ? "a failure" : `${failures} failures`}. Last error: ${error.message}`,
  };
};

export const describePause = ({ ms }: Pick<CircuitPause, "ms">): string =>
  ms === 0 ? "is being tested" : `is paused for ${showDuration(ms)}`;

/** These refusals show that the model is available. */
const PROVES_AVAILABILITY: ReadonlySet<ErrorCode> = new Set(["provider.refused", "provider.context-overflow"]);
/** These failures say nothing about the model. */
const INCONCLUSIVE: ReadonlySet<ErrorCode> = new Set(["provider.aborted", "provider.unknown", "budget.spent"]);

const reportOutcome = (admission: Admission, { error, retryAfterMs }: FailedAttempt): void => {
  if (PROVES_AVAILABILITY.has(error.code)) admission.reportAnswer();
  else if (INCONCLUSIVE.has(error.code)) admission.reportUnknown();
  else admission.reportFailure(error, retryAfterMs);
};

/** Returns the last failure with a summary of all attempts. A single attempt is returned unchanged. */
const summarize = (attempts: readonly TriedModel[]): FailedAttempt => {
  const lastAttempt = attempts.at(-1) ?? {
    model: "",
    failure: truncatedAttempt,
    description: truncatedAttempt.error.message,
  };
  const { error } = lastAttempt.failure;
  if (error.code === "provider.aborted") return lastAttempt.failure;
  const summary = attempts.map(({ model, description }) => `${model}: ${toSentence(description)}`).join(" ");
  const isUnchanged = attempts.length === 1 && lastAttempt.description === error.message;
  const message = isUnchanged
    ? error.message
    : attempts.length === 1
      ? summary
      : `None of the ${attempts.length} models answered. ${summary}`;
  const waitsMs = attempts.flatMap(({ failure }) => failure.retryAfterMs ?? []);
  return {
    type: "error",
    error: { ...error, message },
    ...(waitsMs.length < attempts.length ? {} : { retryAfterMs: Math.min(...waitsMs) }),
  };
};
