/**
 * A provider that makes one request to a vendor per call. Each request is reserved before it is
 * sent and settled once, however it ends.
 */
import { type ModelEvent, type ModelRequest, withProvider } from "@hearth/protocol";
import type { Provider } from "../provider.ts";
import { bytesOf } from "../wires/text.ts";
import type { Charge } from "./charge.ts";

/** Wraps a provider so that each request is charged. `name` is the provider's name in this house. */
export const createChargedProvider = (provider: Provider, name: string): Provider => ({
  kind: provider.kind,
  traits: provider.traits,
  models: (signal) => provider.models(signal),
  async *stream(request, signal, context = {}) {
    const { chargeGate } = context;
    if (chargeGate === undefined) {
      for await (const event of provider.stream(request, signal, context)) yield withProviderName(event, name);
      return;
    }
    const charge = signal.aborted ? STOPPED : await chargeGate.admit(`${name}/${request.model}`, signal);
    if ("error" in charge) return yield { type: "error", ...charge };
    let saidBytes = 0;
    try {
      for await (const event of provider.stream(limitOutput(request, charge), signal, context)) {
        if (event.type === "text-delta") {
          saidBytes += bytesOf(event.text);
          yield event;
        } else if (event.type === "retry") {
          yield event;
        } else if (event.type === "error") {
          const outcome = { usage: event.usage, saidBytes: Math.max(saidBytes, event.saidBytes ?? 0) };
          yield withProviderName({ ...event, usage: charge.settle({ ...outcome, end: event.error.code }) }, name);
        } else {
          const { toolCalls } = event.message;
          if (toolCalls.length > 0) saidBytes += bytesOf(JSON.stringify(toolCalls));
          yield { ...event, usage: charge.settle({ usage: event.usage, saidBytes, end: "ended" }) };
        }
      }
    } finally {
      // A reader that abandons the stream pays for the part that arrived.
      charge.settle({ saidBytes, end: "left" });
    }
  },
});

/**
 * Adds the name of the configured provider to a failure, because people know it better than the
 * provider's URL.
 */
const withProviderName = (event: ModelEvent, name: string): ModelEvent =>
  event.type === "error" ? { ...event, error: withProvider(event.error, name) } : event;

const STOPPED = { error: { code: "provider.aborted", message: "The call was stopped." } } as const;

const limitOutput = (request: ModelRequest, { maxOutputTokens }: Charge): ModelRequest =>
  maxOutputTokens < request.maxOutputTokens ? { ...request, maxOutputTokens } : request;
