/**
 * Anthropic's Messages API and compatible servers. The SDK sends the request; this file reads and
 * checks the answer.
 */
import { streamCall } from "./call.ts";
import { readAnthropic } from "./anthropic-reply.ts";
import { toAnthropic } from "./anthropic-request.ts";
import { ANTHROPIC_URL } from "../catalog/known.ts";
import { callForModels } from "../catalog/models-call.ts";
import type { ProviderFactory } from "../provider.ts";
import { guardFetch, hostOf, NEVER_MS, PLACEHOLDER_KEY } from "./wire.ts";

export const createAnthropicProvider: ProviderFactory = async (options) => {
  const { baseUrl = ANTHROPIC_URL, apiKey, clock } = options;
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    // The SDK adds the version itself, and copied URLs often include it.
    baseURL: baseUrl.replace(/\/(v1\/?)?$/, ""),
    // Without a key the SDK would look for one in the environment and in files.
    apiKey: apiKey ?? PLACEHOLDER_KEY,
    fetch: guardFetch(options.fetch),
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    openTelemetry: false,
  });
  const peer = { host: hostOf(baseUrl), apiKey, now: clock.now };
  const wire = `anthropic ${peer.host}`;
  return {
    kind: "anthropic",
    traits: { offline: false, carries: ["image", "document"] },
    stream: (request, signal) =>
      streamCall({
        peer,
        clock,
        signal,
        // Not `messages.create`, which prints warnings about models to the console.
        open: (closeSignal) =>
          client
            .post("/v1/messages", { body: toAnthropic(request, wire), stream: true, signal: closeSignal })
            .asResponse(),
        read: (events, meter) => readAnthropic(events, meter, request, peer, wire),
      }),
    models: (signal) =>
      callForModels({
        peer,
        clock,
        signal,
        open: (closeSignal) => client.models.list({ limit: MAX_LISTED_MODELS }, { signal: closeSignal }).asResponse(),
      }),
  };
};

/** The API's maximum per page. */
const MAX_LISTED_MODELS = 1_000;
