/**
 * Less of a conversation, for a model that says that it is too long: one smaller try, not a search for the length that just fits.
 * What has tool calls in it stays, as those calls are this activation's: a model that forgot one would make it again.
 */
import type { ModelMessage } from "@hearth/protocol";

/**
 * The messages without the oldest exchanges, about half of the text if so much may go; nothing when none of it may. What is left
 * begins with a user message, ends as it did, holds the last user message, and pairs every tool call with its result.
 */
export const shrink = (messages: readonly ModelMessage[]): readonly ModelMessage[] | undefined => {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const firstCall = messages.findIndex((message) => message.role === "assistant" && message.toolCalls.length > 0);
  const end = firstCall < 0 ? lastUser : Math.min(lastUser, firstCall);
  const wanted = messages.reduce((sum, message) => sum + sizeOf(message), 0) / 2;
  let start = 0;
  let before = 0;
  for (const [index, message] of messages.slice(0, end + 1).entries()) {
    if (message.role === "user") {
      start = index;
      if (before >= wanted) break;
    }
    before += sizeOf(message);
  }
  return start === 0 ? undefined : messages.slice(start);
};

/** A picture costs a model about a thousand tokens, however many bytes it has. */
const IMAGE_LENGTH = 4000;

/** In UTF-16 code units, roughly: what it weighs against the others. */
const sizeOf = (message: ModelMessage): number => {
  switch (message.role) {
    case "user":
      return message.text.length + (message.note?.length ?? 0);
    case "tool":
      return message.text.length + (message.image === undefined ? 0 : IMAGE_LENGTH);
    case "assistant":
      return message.text.length + JSON.stringify(message.toolCalls).length;
  }
};
