/** One tiny real call, told in words. */
import type { Clock, ModelRequest } from "@hearth/protocol";
import type { ProviderTestResult } from "./catalog.ts";
import { createDeadline } from "./deadline.ts";
import type { Provider } from "./provider.ts";
import { toSentence } from "./words.ts";

const MAX_SHOWN_LENGTH = 80;
/** A person waits for it. */
const LIMIT_MS = 20_000;

export const tryProvider = async (
  provider: Provider,
  model: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProviderTestResult> => {
  const startedAt = clock.monotonic();
  const done = (ok: boolean, detail: string): ProviderTestResult => ({
    ok,
    detail,
    durationMs: clock.monotonic() - startedAt,
  });
  using deadline = createDeadline({ clock, ms: LIMIT_MS, signal });
  for await (const event of provider.stream(greeting(model), deadline.signal)) {
    if (event.type === "end") return done(true, describeAnswer(model, event.message.text));
    if (event.type !== "error") continue;
    if (deadline.isOver()) return done(false, describeSilence(model));
    const { message, hint } = event.error;
    return done(false, hint === undefined ? message : `${toSentence(message)} ${hint}`);
  }
  return done(false, `${model} did not answer.`);
};

/** Room to think in, for models that do: an answer that is cut short is an answer too. */
const greeting = (model: string): ModelRequest => ({
  model,
  system: [],
  messages: [{ role: "user", text: "Reply with the word: ready" }],
  tools: [],
  toolUse: "forbidden",
  maxOutputTokens: 256,
});

const describeAnswer = (model: string, text: string): string => {
  const shown = text.trim().replace(/\s+/g, " ");
  if (shown === "") return `${model} answered, with nothing to show.`;
  return `${model} answered: ${shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : shown}`;
};

const describeSilence = (model: string): string =>
  `${model} did not answer within ${LIMIT_MS / 1000} s. A model on this machine may still be loading: try again in a minute, or choose a smaller one.`;
