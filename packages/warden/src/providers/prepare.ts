/** Makes a conversation fit for a wire: clean text, and tool call ids that the vendor takes and that occur once. */
import { type ModelMessage, type ModelRequest, userText } from "@hearth/protocol";
import { cleanObject, cleanSent } from "./text.ts";

/**
 * Ids come from whichever model made the call, and a conversation outlives its model. An id that `accepts` refuses, or that
 * an earlier message used, is replaced by one that depends only on its place: the same conversation is always sent alike.
 */
export const prepareRequest = (request: ModelRequest, accepts: RegExp): ModelRequest => ({
  ...request,
  system: request.system.map((part) => ({ ...part, text: cleanSent(part.text) })),
  messages: prepareMessages(request.messages, accepts),
});

/** Nine letters and digits: the strictest server wants exactly that. */
export const freshCallId = (message: number, call: number): string =>
  `c${message.toString(36).padStart(5, "0")}${call.toString(36).padStart(3, "0")}`;

const prepareMessages = (messages: readonly ModelMessage[], accepts: RegExp): readonly ModelMessage[] => {
  const used = new Set<string>();
  /** Of the latest assistant message: the id as it is here → as it is sent. */
  let sent = new Map<string, string>();
  return messages.map((message, place): ModelMessage => {
    switch (message.role) {
      case "user":
        return { role: "user", text: cleanSent(userText(message)) };
      case "tool":
        return { ...message, text: cleanSent(message.text), call: sent.get(message.call) ?? message.call };
      case "assistant":
        sent = new Map();
        return {
          role: "assistant",
          text: cleanSent(message.text),
          toolCalls: message.toolCalls.map((call, index) => {
            const id = accepts.test(call.id) && !used.has(call.id) ? call.id : freshCallId(place, index);
            used.add(id);
            sent.set(call.id, id);
            return { id, name: cleanSent(call.name), input: cleanObject(call.input, cleanSent) };
          }),
        };
    }
  });
};
