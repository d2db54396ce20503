/**
 * OpenAI's chat completions and compatible servers: Ollama, LM Studio, vLLM, OpenRouter and many
 * more. The SDK sends the request; this file reads and checks the answer.
 */
import { streamCall } from "./call.ts";
import { OPENAI_URL } from "../catalog/known.ts";
import { callForModels } from "../catalog/models-call.ts";
import { readOpenAI } from "./openai-reply.ts";
import { toOpenAI, traitsOf } from "./openai-request.ts";
import type { ProviderFactory } from "../provider.ts";
import { guardFetch, hostOf, NEVER_MS, PLACEHOLDER_KEY } from "./wire.ts";

export const createOpenAIProvider: ProviderFactory = async (options) => {
  const { baseUrl = OPENAI_URL, apiKey, clock } = options;
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({
    baseURL: baseUrl,
    // Local servers need no key, but the SDK does; without one it would read the environment.
    apiKey: apiKey ?? PLACEHOLDER_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    fetch: guardFetch(options.fetch),
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
  const peer = { host: hostOf(baseUrl), apiKey, now: clock.now };
  const traits = traitsOf(baseUrl);
  return {
    kind: "openai",
    traits: { offline: false, carries: traits.carries },
    stream: (request, signal) =>
      streamCall({
        peer,
        clock,
        signal,
        open: (closeSignal) =>
          client.chat.completions.create(toOpenAI(request, traits), { signal: closeSignal }).asResponse(),
        read: (events, meter) => readOpenAI(events, meter, request, peer, traits.wire),
      }),
    models: (signal) =>
      callForModels({
        peer,
        clock,
        signal,
        open: (closeSignal) => client.models.list({ signal: closeSignal }).asResponse(),
      }),
  };
};
