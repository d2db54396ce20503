/**
 * Prepares a conversation for a wire: cleans text, makes the ids of tool calls valid and unique,
 * and removes data that another wire sealed.
 */
import {
  dataOf,
  type ModelMessage,
  type ModelRequest,
  type Part,
  refusalText,
  toolText,
  userText,
} from "@hearth/protocol";
import { cleanObject, cleanForSending } from "../wires/text.ts";

/** The wire to which a conversation is sent. */
export interface Destination {
  /** Kind of wire and host. Only `VendorData` of the same wire is sent. */
  readonly wire: string;
  /** The pattern of the tool call ids that the wire accepts. */
  readonly callId: RegExp;
}

/**
 * Prepares a request. Ids come from the model that made the call, and a conversation may change
 * models. An id that `callId` refuses, or that an earlier message used, is replaced by one that
 * depends only on its position, so equal conversations are always sent in the same way.
 */
export const prepareRequest = (request: ModelRequest, destination: Destination): ModelRequest => ({
  ...request,
  system: request.system.map((part) => ({ ...part, text: cleanForSending(part.text) })),
  messages: prepareMessages(request.messages, destination),
});

/** Creates an id of nine letters and digits, the only form that the strictest server accepts. */
export const createCallId = (message: number, call: number): string =>
  `c${message.toString(36).padStart(5, "0")}${call.toString(36).padStart(3, "0")}`;

/**
 * Returns texts, files whose bytes were read, and one line for each file that the model does not
 * accept.
 */
const toSentParts = (parts: readonly Part[] = []): { readonly parts?: Part[] } => {
  const sentParts = parts.flatMap((part): readonly Part[] => {
    if (part.kind === "text") return [{ kind: "text", text: cleanForSending(part.text) }];
    const refusal = refusalText(part);
    if (refusal !== undefined) return [{ kind: "text", text: cleanForSending(refusal) }];
    return dataOf(part) === undefined ? [] : [part];
  });
  return sentParts.length === 0 ? {} : { parts: sentParts };
};

const prepareMessages = (messages: readonly ModelMessage[], destination: Destination): readonly ModelMessage[] => {
  const usedIds = new Set<string>();
  /** Ids of the latest assistant message: stored id → sent id. */
  let sentIds = new Map<string, string>();
  return messages.map((message, messageIndex): ModelMessage => {
    switch (message.role) {
      case "user":
        return { role: "user", text: cleanForSending(userText(message)), ...toSentParts(message.parts) };
      case "tool":
        return {
          role: "tool",
          name: message.name,
          failed: message.failed,
          text: cleanForSending(toolText(message)),
          call: sentIds.get(message.call) ?? message.call,
          ...toSentParts(message.parts),
        };
      case "assistant": {
        sentIds = new Map();
        // Vendor data is signed, so it is not cleaned. It may name the calls, so their ids stay;
        // they come from the same host.
        const vendor = message.vendor?.wire === destination.wire ? { vendor: message.vendor } : undefined;
        return {
          role: "assistant",
          text: cleanForSending(message.text),
          toolCalls: message.toolCalls.map((call, index) => {
            const isAccepted = vendor !== undefined || destination.callId.test(call.id);
            const id = isAccepted && !usedIds.has(call.id) ? call.id : createCallId(messageIndex, index);
            usedIds.add(id);
            sentIds.set(call.id, id);
            return { id, name: cleanForSending(call.name), input: cleanObject(call.input, cleanForSending) };
          }),
          ...vendor,
        };
      }
    }
  });
};
