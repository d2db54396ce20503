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
import { reactionNote } from "./reaction-note.ts";
import { replyNotes } from "./reply-notes.ts";
import type { Stamp } from "./stamps.ts";

/** Minimum number of messages that the model is shown, if the room has as many. */
const MIN_SHOWN_MESSAGES = 50;
/**
 * The window moves 25 messages at a time. If it moved for every message, the first message would
 * change in each turn, and prompt caching would fail.
 */
const WINDOW_STEP = 25;

/** The text that marks the end of a stopped reply for the model. */
const STOPPED_NOTE = "[stopped before this reply was complete]";

/**
 * Maximum number of events to look further back for messages. Edits and deletions have offsets too.
 */
const MAX_LOOK_BACK = 1000;

/** The parts of messages with files. */
export type MessageParts = ReadonlyMap<EventId, Part[]>;

export const NO_PARTS: MessageParts = new Map();

/** Returns the `parts` field of a message, or an empty object for a message without files. */
export const withParts = (parts: Part[] | undefined): { readonly parts?: Part[] } =>
  parts === undefined ? {} : { parts };

/** Returns the offset after which the window begins, for a message at `causeOffset`. */
export const historyStart = (causeOffset: number): number =>
  Math.max(0, Math.floor((causeOffset - MIN_SHOWN_MESSAGES) / WINDOW_STEP) * WINDOW_STEP);

/** Returns an earlier start if too few messages follow `start`, or `start` otherwise. */
export const earlierStart = ({ messages, removed }: CurrentMessages, causeOffset: number, start: number): number => {
  const shownMessages = messages.filter(({ id, offset }) => offset <= causeOffset && !removed.has(id));
  return shownMessages.length >= MIN_SHOWN_MESSAGES || start <= historyStart(causeOffset) - MAX_LOOK_BACK
    ? start
    : Math.max(0, start - WINDOW_STEP);
};

export interface History {
  readonly messages: ModelMessage[];
  /** The activations whose replies are among the messages. */
  readonly answers: ReadonlySet<string>;
}

/**
 * Returns the room as the agent saw it when it woke: the messages of others up to the one to
 * answer, and each reply of the agent right after the message that it answered, even if the reply
 * came later or that message was deleted. The result begins with a message of another author, as
 * providers require.
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
   * The messages of others, each with the agent's replies. Deleted messages keep their places
   * until all messages are in order.
   */
  const turns: { readonly message: StoredMessage; readonly replies: StoredMessage[] }[] = [];
  /** The index of each message's turn. A reply has the index of the message that it answers. */
  const turnIndexes = new Map<EventId, number>();
  for (const message of messages) {
    if (message.author === agent || message.offset > causeOffset) continue;
    turnIndexes.set(message.id, turns.length);
    turns.push({ message, replies: [] });
  }
  for (const reply of messages) {
    if (reply.author !== agent || removed.has(reply.id)) continue;
    const turnIndex =
      reply.causes.length > 0
        ? reply.causes.reduce((lastIndex, cause) => Math.max(lastIndex, turnIndexes.get(cause) ?? -1), -1)
        : turns.findLastIndex(({ message }) => message.offset < reply.offset);
    const turn = turns[turnIndex];
    // The last message is the one to answer, so no reply follows it.
    if (turn === undefined || turnIndex === turns.length - 1) continue;
    turnIndexes.set(reply.id, turnIndex);
    turn.replies.push(reply);
  }
  const orderedMessages = turns.flatMap(({ message, replies }) =>
    removed.has(message.id) ? replies : [message, ...replies],
  );
  const firstIndex = orderedMessages.findIndex((message) => message.author !== agent);
  const shownMessages = orderedMessages.slice(firstIndex < 0 ? orderedMessages.length : firstIndex);
  const answers = new Set<string>();
  const replyNote = replyNotes({ shown: shownMessages, agent, nameOf });
  // Only the note of the last message may change from turn to turn, because earlier ones are cached.
  const noteOfReactions = reactionNote({ current: options.current, causeOffset, agent, nameOf });
  const modelMessages = shownMessages.map((message, index): ModelMessage => {
    const isOwn = message.author === agent;
    // The agent's own files are in its workspace, not in its inbox.
    const fullText = isOwn ? readableText(message) : modelText(message);
    const text = message.stopped === true ? `${fullText}\n\n${STOPPED_NOTE}` : fullText;
    if (isOwn) {
      if (message.activation !== undefined) answers.add(message.activation);
      return { role: "assistant", text, toolCalls: [] };
    }
    const authorName = message.damaged === true ? "the house" : nameOf(message.author);
    const lastNote = index === shownMessages.length - 1 ? noteOfReactions : "";
    const note = `${authorName}, ${when(message.at)}${replyNote(message)}${lastNote}`;
    return { role: "user", text, note, ...withParts(attached.get(message.id)) };
  });
  return { messages: modelMessages, answers };
};

/**
 * Maximum number of messages per intake. Their total text is limited too, in UTF-16 code units:
 * about the size of a turn's first prompt. The first message always fits.
 */
export const MAX_INTAKE_MESSAGES = 50;
export const MAX_INTAKE_LENGTH = 40_000;
/** Maximum number of events in one read. */
export const EVENTS_PER_READ = 500;

/** Returns the first messages that fit the limits. */
export const takeFirstThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => {
  let length = 0;
  const end = messages.findIndex(({ body }, index) => {
    length += body.text.length;
    return index > 0 && (index >= MAX_INTAKE_MESSAGES || length > MAX_INTAKE_LENGTH);
  });
  return end < 0 ? messages : messages.slice(0, end);
};

/** Returns the last messages that fit the limits. */
export const takeLastThatFit = <Message extends Pick<StoredMessage, "body">>(
  messages: readonly Message[],
): readonly Message[] => takeFirstThatFit(messages.toReversed()).toReversed();
