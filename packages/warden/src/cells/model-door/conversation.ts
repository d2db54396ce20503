/** Puts a conversation together as a provider wants it: each call of an assistant message is answered once, right after it. */
import type { Image, ModelMessage, ToolCall } from "@hearth/protocol";
import { invalid } from "./fields.ts";

/** All throw `request.invalid` for what does not follow on what was there before. */
export interface Conversation {
  user(text: string): void;
  assistant(text: string, toolCalls: readonly ToolCall[]): void;
  result(result: {
    readonly call: string;
    readonly text: string;
    readonly failed: boolean;
    readonly image?: Image;
  }): void;
  /** All of it. Its end is somebody else's word: the model's is what is asked for. */
  messages(): readonly ModelMessage[];
}

export const createConversation = (): Conversation => {
  const messages: ModelMessage[] = [];
  /** Calls without a result: id → name. */
  const open = new Map<string, string>();

  const requireAnswered = (): void => {
    const [id] = open.keys();
    if (id !== undefined) throw invalid(`The call ${id} has no result right after it.`);
  };

  return {
    user(text) {
      requireAnswered();
      messages.push({ role: "user", text });
    },
    assistant(text, toolCalls) {
      requireAnswered();
      for (const { id, name } of toolCalls) {
        if (open.has(id)) throw invalid(`Two calls of one message have the id ${id}.`);
        open.set(id, name);
      }
      messages.push({ role: "assistant", text, toolCalls: [...toolCalls] });
    },
    result(result) {
      const name = open.get(result.call);
      if (name === undefined)
        throw invalid(`There is a result for ${result.call}, which is no open call of the message before.`);
      open.delete(result.call);
      messages.push({ role: "tool", name, ...result });
    },
    messages() {
      requireAnswered();
      const last = messages.at(-1);
      if (last === undefined) throw invalid("There is no message.");
      if (last.role === "assistant")
        throw invalid(
          "The last message is the assistant's.",
          "It cannot go on with one: end with the user's, or with results.",
        );
      return messages;
    },
  };
};
