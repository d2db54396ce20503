/**
 * Shortens a conversation that a model rejected as too long. It makes one smaller attempt, instead
 * of a search for the longest conversation that fits. Tool calls of this activation stay, because a
 * model that does not see a call would repeat it.
 */
import type { ModelMessage, Part } from "@hearth/protocol";

/**
 * Drops the oldest exchanges, up to about half of the text. Returns undefined if no exchange may be
 * dropped. The result begins with a user message, ends like the input, contains the last user
 * message, and pairs every tool call with its result.
 */
export const shrink = (messages: readonly ModelMessage[]): readonly ModelMessage[] | undefined => {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const firstCall = messages.findIndex((message) => message.role === "assistant" && message.toolCalls.length > 0);
  const end = firstCall < 0 ? lastUser : Math.min(lastUser, firstCall);
  const targetSize = messages.reduce((sum, message) => sum + sizeOf(message), 0) / 2;
  let start = 0;
  let droppedSize = 0;
  for (const [index, message] of messages.slice(0, end + 1).entries()) {
    if (message.role === "user") {
      start = index;
      // The first message stays only if nothing can be dropped, also if all texts are empty.
      if (index > 0 && droppedSize >= targetSize) break;
    }
    droppedSize += sizeOf(message);
  }
  return start === 0 ? undefined : messages.slice(start);
};

/** A picture costs about a thousand tokens, whatever its size in bytes. */
const FILE_LENGTH = 4000;

const sizeOfParts = (parts: readonly Part[] = []): number =>
  parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : FILE_LENGTH), 0);

/** Approximate size of a message, in UTF-16 code units. */
const sizeOf = (message: ModelMessage): number => {
  switch (message.role) {
    case "user":
      return message.text.length + (message.note?.length ?? 0) + sizeOfParts(message.parts);
    case "tool":
      return message.text.length + sizeOfParts(message.parts);
    case "assistant":
      return message.text.length + JSON.stringify(message.toolCalls).length;
  }
};
