/**
 * Stores sealed reasoning that a vendor expects back with the results of its calls. The APIs have
 * no field for another vendor's data, so the house stores it for the turn and restores it when the
 * same calls come again.
 */
import type { AssistantMessage, ModelMessage, ToolCall, VendorData, World } from "@hearth/protocol";

export interface SealedReasoning {
  store(message: AssistantMessage): void;
  /** Returns the messages with their sealed reasoning restored. */
  restore(messages: readonly ModelMessage[]): readonly ModelMessage[];
}

/**
 * Maximum size of what is stored for one turn, in UTF-16 code units. The oldest is dropped first.
 */
const MAX_STORED_LENGTH = 8 * 1024 * 1024;

export const createSealedReasoning = ({ hash }: Pick<World, "hash">): SealedReasoning => {
  const cache = new Map<string, VendorData>();
  let size = 0;

  /**
   * Returns the key of these calls. The ids of calls alone may repeat in another conversation of
   * the same turn.
   */
  const keyOf = (calls: readonly ToolCall[]): string =>
    hash(JSON.stringify(calls.map(({ id, name, input }) => [id, name, input])));
  const drop = (key: string): void => {
    size -= cache.get(key)?.data.length ?? 0;
    cache.delete(key);
  };

  return {
    store({ toolCalls, vendor }) {
      if (vendor === undefined) return;
      const key = keyOf(toolCalls);
      drop(key);
      cache.set(key, vendor);
      size += vendor.data.length;
      for (const oldest of cache.keys()) {
        if (size <= MAX_STORED_LENGTH) break;
        drop(oldest);
      }
    },
    restore: (messages) =>
      messages.map((message) => {
        if (cache.size === 0 || message.role !== "assistant" || message.toolCalls.length === 0) return message;
        const vendor = cache.get(keyOf(message.toolCalls));
        return vendor === undefined ? message : { ...message, vendor };
      }),
  };
};
