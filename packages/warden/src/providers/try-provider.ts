/** One tiny real call, told in words. */
import type { Clock, ModelRequest } from "@hearth/protocol";
import type { ProviderTestResult } from "./catalog.ts";
import type { Provider } from "./provider.ts";

const MAX_SHOWN_LENGTH = 80;

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
  for await (const event of provider.stream(greeting(model), signal)) {
    if (event.type === "error") {
      const { message, hint } = event.error;
      return done(false, hint === undefined ? message : `${message} ${hint}`);
    }
    if (event.type === "end") return done(true, describeAnswer(model, event.message.text));
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
