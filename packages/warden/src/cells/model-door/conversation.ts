/**
 * Builds a conversation in the form that providers require: each call of an assistant message is
 * answered once, directly after the message.
 */
import type { ModelMessage, Part, ToolCall } from "@hearth/protocol";
import { invalidRequestError } from "./fields.ts";

/** The methods throw `request.invalid` for a message that cannot follow the earlier ones. */
export interface Conversation {
  addUserMessage(text: string): void;
  addAssistantMessage(text: string, toolCalls: readonly ToolCall[]): void;
  addResult(result: {
    readonly call: string;
    readonly text: string;
    readonly failed: boolean;
    readonly parts?: Part[];
  }): void;
  /**
   * Returns the whole conversation. Its last message must not be an assistant message, because
   * the model writes the next one.
   */
  messages(): readonly ModelMessage[];
}

export const createConversation = (): Conversation => {
  const messages: ModelMessage[] = [];
  /** The calls without a result: id → name. */
  const unansweredCalls = new Map<string, string>();

  const requireAnswered = (): void => {
    const [id] = unansweredCalls.keys();
    if (id !== undefined) throw invalidRequestError(`The call ${id} is not followed by its result.`);
  };

  return {
    addUserMessage(text) {
      requireAnswered();
      messages.push({ role: "user", text });
    },
    addAssistantMessage(text, toolCalls) {
      requireAnswered();
      for (const { id, name } of toolCalls) {
        if (unansweredCalls.has(id)) throw invalidRequestError(`Two calls of one message have the id ${id}.`);
        unansweredCalls.set(id, name);
      }
      messages.push({ role: "assistant", text, toolCalls: [...toolCalls] });
    },
    addResult(result) {
      const name = unansweredCalls.get(result.call);
      if (name === undefined)
        throw invalidRequestError(`The result for ${result.call} matches no open call of the message before it.`);
      unansweredCalls.delete(result.call);
      messages.push({ role: "tool", name, ...result });
    },
    messages() {
      requireAnswered();
      const lastMessage = messages.at(-1);
      if (lastMessage === undefined) throw invalidRequestError("The request has no messages.");
      if (lastMessage.role === "assistant")
        throw invalidRequestError(
          "The last message is the assistant's.",
          "End with a user message or with tool results.",
        );
      return messages;
    },
  };
};
