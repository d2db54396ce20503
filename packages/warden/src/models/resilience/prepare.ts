/** Makes a conversation fit for a wire: clean text, tool call ids that the vendor takes and that occur once, and nothing sealed by another wire. */
import { type ModelMessage, type ModelRequest, toolText, userText } from "@hearth/protocol";
import { cleanObject, cleanSent } from "../wires/text.ts";

/** Where a conversation is sent. */
export interface Destination {
  /** Whose `VendorData` comes along: the kind of wire and the host. */
  readonly wire: string;
  /** The tool call ids that it takes. */
  readonly callId: RegExp;
}

/**
 * Ids come from whichever model made the call, and a conversation outlives its model. An id that `callId` refuses, or that
 * an earlier message used, is replaced by one that depends only on its place: the same conversation is always sent alike.
 */
export const prepareRequest = (request: ModelRequest, to: Destination): ModelRequest => ({
  ...request,
  system: request.system.map((part) => ({ ...part, text: cleanSent(part.text) })),
  messages: prepareMessages(request.messages, to),
});

/** Nine letters and digits: the strictest server wants exactly that. */
export const freshCallId = (message: number, call: number): string =>
  `c${message.toString(36).padStart(5, "0")}${call.toString(36).padStart(3, "0")}`;

const prepareMessages = (messages: readonly ModelMessage[], to: Destination): readonly ModelMessage[] => {
  const used = new Set<string>();
  /** Of the latest assistant message: the id as it is here → as it is sent. */
  let sent = new Map<string, string>();
  return messages.map((message, place): ModelMessage => {
    switch (message.role) {
      case "user":
        return { role: "user", text: cleanSent(userText(message)) };
      case "tool":
        return { ...message, text: cleanSent(toolText(message)), call: sent.get(message.call) ?? message.call };
      case "assistant": {
        sent = new Map();
        // Not cleaned: it is signed as it is. It may name the calls, so their ids stay; its own host gave them.
        const vendor = message.vendor?.wire === to.wire ? { vendor: message.vendor } : undefined;
        return {
          role: "assistant",
          text: cleanSent(message.text),
          toolCalls: message.toolCalls.map((call, index) => {
            const taken = vendor !== undefined || to.callId.test(call.id);
            const id = taken && !used.has(call.id) ? call.id : freshCallId(place, index);
            used.add(id);
            sent.set(call.id, id);
            return { id, name: cleanSent(call.name), input: cleanObject(call.input, cleanSent) };
          }),
          ...vendor,
        };
      }
    }
  });
};
