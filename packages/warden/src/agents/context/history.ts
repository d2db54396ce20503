/** Converts a room's messages to the conversation that a model reads. */
import {
  type AgentId,
  type EventId,
  type ModelMessage,
  type Part,
  modelText,
  readableText,
  type StoredMessage,
} from "@hearth/protocol";
import type { CurrentMessages } from "./current-messages.ts";
import type { Stamp } from "./stamps.ts";

/** Minimum number of messages shown, if the room has that many. */
const SHOWN = 50;
/**
 * The window moves 25 messages at a time. Moving it for every message would change the first
 * message each turn and defeat prompt caching.
 */
const STRIDE = 25;

/** Marks the end of a stopped reply, for the model. */
const STOPPED = "[stopped before this reply was complete]";

/** How much further back to look for messages, because edits and deletions use offsets too. */
const FURTHEST = 1000;

/** The parts of messages with files. */
export type MessageParts = ReadonlyMap<EventId, Part[]>;

export const NO_PARTS: MessageParts = new Map();

/** The field of a message. A message without files has none. */
export const withParts = (parts: Part[] | undefined): { readonly parts?: Part[] } =>
  parts === undefined ? {} : { parts };

/** The offset after which the window begins, for a message at `causeOffset`. */
export const historyStart = (causeOffset: number): number =>
  Math.max(0, Math.floor((causeOffset - SHOWN) / STRIDE) * STRIDE);

/** Returns an earlier start if too few messages follow `start`; otherwise `start`. */
export const earlierStart = ({ messages, removed }: CurrentMessages, causeOffset: number, start: number): number => {
  const shown = messages.filter(({ id, offset }) => offset <= causeOffset && !removed.has(id));
  return shown.length >= SHOWN || start <= historyStart(causeOffset) - FURTHEST ? start : Math.max(0, start - STRIDE);
};

export interface History {
  readonly messages: ModelMessage[];
  /** The activations whose replies are among the messages. */
  readonly answers: ReadonlySet<string>;
}

/**
 * The room as the agent saw it when it woke: others' messages up to the one to answer, and each of
 * the agent's replies right after the message it answered, even if the reply came later or that
 * message was deleted. Begins with a message of someone else, as providers require.
 */
export const toHistory = (options: {
  readonly current: CurrentMessages;
  /** The files of the messages. */
  readonly attached: MessageParts;
  readonly causeOffset: number;
  readonly agent: AgentId;
  readonly nameOf: (agent: AgentId) => string;
  readonly when: Stamp;
}): History => {
  const { attached, causeOffset, agent, nameOf, when } = options;
  const { messages, removed } = options.current;
  /**
   * Others' messages, each with its replies. Deleted ones keep their places until everything is in
   * order.
   */
  const turns: { readonly message: StoredMessage; readonly replies: StoredMessage[] }[] = [];
  /** Index of each message's turn: its own, or that of the message it answers. */
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
    // Nothing follows the last message, which is to be answered.
    if (turn === undefined || place === turns.length - 1) continue;
    places.set(own.id, place);
    turn.replies.push(own);
  }
  const left = turns.flatMap(({ message, replies }) => (removed.has(message.id) ? replies : [message, ...replies]));
  const first = left.findIndex((message) => message.author !== agent);
  const shown = left.slice(first < 0 ? left.length : first);
  const answers = new Set<string>();
  const read = shown.map((message): ModelMessage => {
    const isOwn = message.author === agent;
    // The agent's own files are in its workspace, not in its inbox.
    const whole = isOwn ? readableText(message) : modelText(message);
    const text = message.stopped === true ? `${whole}\n\n${STOPPED}` : whole;
    if (isOwn) {
      if (message.activation !== undefined) answers.add(message.activation);
      return { role: "assistant", text, toolCalls: [] };
    }
    const who = message.damaged === true ? "the house" : nameOf(message.author);
    return { role: "user", text, note: `${who}, ${when(message.at)}`, ...withParts(attached.get(message.id)) };
  });
  return { messages: read, answers };
};

/**
 * Most messages per intake, and their total text in UTF-16 code units: about the size of a turn's
 * first prompt. The first message always fits.
 */
export const MAX_INTAKE_MESSAGES = 50;
export const MAX_TAKEN_IN_LENGTH = 40_000;
/** Events per read. */
export const EVENTS_AT_ONCE = 500;

/** The first messages that fit the limits. */
export const firstThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => {
  let length = 0;
  const end = messages.findIndex(({ body }, index) => {
    length += body.text.length;
    return index > 0 && (index >= MAX_INTAKE_MESSAGES || length > MAX_TAKEN_IN_LENGTH);
  });
  return end < 0 ? messages : messages.slice(0, end);
};

/** The last messages that fit the limits. */
export const lastThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => firstThatFit(messages.toReversed()).toReversed();
