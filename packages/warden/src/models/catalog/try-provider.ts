/** Tests a provider with one small real call and describes the outcome. */
import {
  type Clock,
  type ErrorBody,
  isHearthError,
  type ModelRequest,
  toErrorBody,
  withProvider,
} from "@hearth/protocol";
import type { ProviderTestResult } from "./catalog.ts";
import { createDeadline } from "../resilience/deadline.ts";
import type { Provider } from "../provider.ts";
import { toSentence } from "./words.ts";

const MAX_SHOWN_LENGTH = 80;
/** Maximum duration of the call, because a person waits for the result. */
const TIMEOUT_MS = 20_000;

export const tryProvider = async (
  provider: Provider,
  model: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProviderTestResult> => {
  const startedAt = clock.monotonic();
  const toResult = (ok: boolean, detail: string, error?: ErrorBody): ProviderTestResult => ({
    ok,
    detail,
    durationMs: clock.monotonic() - startedAt,
    ...(error === undefined ? {} : { error }),
  });
  using deadline = createDeadline({ clock, ms: TIMEOUT_MS, signal });
  for await (const event of provider.stream(toTestRequest(model), deadline.signal)) {
    if (event.type === "end") return toResult(true, describeAnswer(model, event.message.text));
    if (event.type !== "error") continue;
    if (deadline.hasExpired()) return toResult(false, describeSilence(model));
    return toResult(false, describeError(event.error), event.error);
  }
  return toResult(false, `${model} did not answer.`);
};

/**
 * Requests the list of models, which also shows whether the provider answers and accepts the key.
 */
export const tryList = async (
  provider: Provider,
  name: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProviderTestResult> => {
  const startedAt = clock.monotonic();
  try {
    const models = await provider.models(signal);
    const detail = `${name} lists ${models.length} ${models.length === 1 ? "model" : "models"}.`;
    return { ok: true, detail, durationMs: clock.monotonic() - startedAt, models };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    const body = withProvider(toErrorBody(error), name);
    return { ok: false, detail: describeError(body), durationMs: clock.monotonic() - startedAt, error: body };
  }
};

const describeError = ({ message, hint }: ErrorBody): string =>
  hint === undefined ? message : `${toSentence(message)} ${hint}`;

/**
 * Creates the request. Its limit leaves room for models that think. An answer that is cut off
 * counts as an answer too.
 */
const toTestRequest = (model: string): ModelRequest => ({
  model,
  system: [],
  messages: [{ role: "user", text: "Reply with the word: ready" }],
  tools: [],
  toolUse: "forbidden",
  maxOutputTokens: 256,
});

const describeAnswer = (model: string, text: string): string => {
  const shownText = text.trim().replace(/\s+/g, " ");
  if (shownText === "") return `${model} answered without visible text.`;
  return `${model} answered: ${shownText.length > MAX_SHOWN_LENGTH ? `${shownText.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : shownText}`;
};

const describeSilence = (model: string): string =>
  `${model} did not answer within ${TIMEOUT_MS / 1000} s. A local model may still be loading: try again in a minute, or choose a smaller one.`;
