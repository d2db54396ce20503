/** A room's events → what a model reads as the conversation. */
import type { AgentId, MessageEvent, ModelMessage, Stored } from "@hearth/protocol";
import type { Stamp } from "./stamps.ts";

/** Messages that an agent sees at least, if there are so many. */
const SHOWN = 50;
/** The window moves in strides: one that moved with every message would change its first message each time, and no cache would hold. */
const STRIDE = 25;

/** The offset after which an agent reads, for a message at `causeOffset`. */
export const historyStart = (causeOffset: number): number =>
  Math.max(0, Math.floor((causeOffset - SHOWN) / STRIDE) * STRIDE);

/**
 * The room as the agent saw it when it was woken: what others said up to the message that is to be answered, and each of its own
 * replies right after what it answered, also when that reply came later. Begins with a message of someone else, as vendors ask.
 */
export const toHistory = (options: {
  readonly events: readonly Stored[];
  readonly causeOffset: number;
  readonly agent: AgentId;
  readonly nameOf: (agent: AgentId) => string;
  readonly when: Stamp;
}): ModelMessage[] => {
  const { events, causeOffset, agent, nameOf, when } = options;
  const messages = events.filter((event): event is Stored<MessageEvent> => event.type === "message");
  const shown = messages.filter((message) => message.author !== agent && message.offset <= causeOffset);
  for (const own of messages.filter((message) => message.author === agent)) {
    let before = shown.findLastIndex((message) =>
      own.causes.length > 0 ? own.causes.includes(message.id) : message.offset < own.offset,
    );
    if (before < 0) continue;
    while (shown[before + 1]?.author === agent) before += 1;
    if (before < shown.length - 1) shown.splice(before + 1, 0, own);
  }
  return shown.map((message) => {
    const { text } = message.body;
    return message.author === agent
      ? { role: "assistant", text, toolCalls: [] }
      : { role: "user", text, note: `${nameOf(message.author)}, ${when(message.at)}` };
  });
};
