/** A room as it stands → what a model reads as the conversation. */
import type { AgentId, EventId, ModelMessage, StoredMessage } from "@hearth/protocol";
import type { Standing } from "./standing.ts";
import type { Stamp } from "./stamps.ts";

/** Messages that an agent sees at least, if there are so many. */
const SHOWN = 50;
/** The window moves in strides: one that moved with every message would change its first message each time, and no cache would hold. */
const STRIDE = 25;

/** Marks the end of a reply that was stopped, for the model that reads it. */
const STOPPED = "[stopped before this reply was complete]";

/** Edits and deletions take up offsets too: how much further back is looked for messages at most. */
const FURTHEST = 1000;

/** The offset after which an agent reads, for a message at `causeOffset`. */
export const historyStart = (causeOffset: number): number =>
  Math.max(0, Math.floor((causeOffset - SHOWN) / STRIDE) * STRIDE);

/** The offset after which it reads instead when what stands after `start` are too few messages, or `start` if they will do. */
export const earlierStart = ({ messages, removed }: Standing, causeOffset: number, start: number): number => {
  const shown = messages.filter(({ id, offset }) => offset <= causeOffset && !removed.has(id));
  return shown.length >= SHOWN || start <= historyStart(causeOffset) - FURTHEST ? start : Math.max(0, start - STRIDE);
};

/**
 * The room as the agent saw it when it was woken: what others said up to the message that is to be answered, and each of its own
 * replies right after what it answered, also when that reply came later or the message was taken back. Begins with a message
 * of someone else, as vendors ask.
 */
export const toHistory = (options: {
  readonly standing: Standing;
  readonly causeOffset: number;
  readonly agent: AgentId;
  readonly nameOf: (agent: AgentId) => string;
  readonly when: Stamp;
}): ModelMessage[] => {
  const { causeOffset, agent, nameOf, when } = options;
  const { messages, removed } = options.standing;
  /** What others said, each with the replies to it. What was taken back holds the place of its own until they are in order. */
  const turns: { readonly message: StoredMessage; readonly replies: StoredMessage[] }[] = [];
  /** The place of each message: among the others, or that of what it answered. */
  const places = new Map<EventId, number>();
  for (const message of messages) {
    if (message.author === agent || message.offset > causeOffset) continue;
    places.set(message.id, turns.length);
    turns.push({ message, replies: [] });
  }
  for (const own of messages) {
    if (own.author !== agent || removed.has(own.id)) continue;
    const place =
      own.causes.length > 0
        ? own.causes.reduce((last, cause) => Math.max(last, places.get(cause) ?? -1), -1)
        : turns.findLastIndex(({ message }) => message.offset < own.offset);
    const turn = turns[place];
    // Nothing stands after the last one, which is to be answered.
    if (turn === undefined || place === turns.length - 1) continue;
    places.set(own.id, place);
    turn.replies.push(own);
  }
  const left = turns.flatMap(({ message, replies }) => (removed.has(message.id) ? replies : [message, ...replies]));
  const first = left.findIndex((message) => message.author !== agent);
  return left.slice(first < 0 ? left.length : first).map((message) => {
    const text = message.stopped === true ? `${message.body.text}\n\n${STOPPED}` : message.body.text;
    return message.author === agent
      ? { role: "assistant", text, toolCalls: [] }
      : {
          role: "user",
          text,
          note: `${message.damaged === true ? "the house" : nameOf(message.author)}, ${when(message.at)}`,
        };
  });
};

/** Messages at one time, and their texts together in UTF-16 code units: about what a turn begins with. The first one always fits. */
export const MAX_TAKEN_IN = 50;
export const MAX_TAKEN_IN_LENGTH = 40_000;
/** Events that are looked through at once. */
export const EVENTS_AT_ONCE = 500;

/** The first of these, as many as fit. */
export const firstThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => {
  let length = 0;
  const end = messages.findIndex(({ body }, index) => {
    length += body.text.length;
    return index > 0 && (index >= MAX_TAKEN_IN || length > MAX_TAKEN_IN_LENGTH);
  });
  return end < 0 ? messages : messages.slice(0, end);
};

/** The last of these, as many as fit. */
export const lastThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => firstThatFit(messages.toReversed()).toReversed();
