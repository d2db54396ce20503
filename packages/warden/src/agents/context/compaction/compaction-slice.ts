/** Chooses the messages of a session that a summary replaces. */
import type { AgentId, StoredMessage } from "@hearth/protocol";
import type { CurrentMessages } from "../current-messages.ts";

export interface SliceOptions extends SliceLength {
  readonly current: CurrentMessages;
  /**
   * Offset of the message to answer. It is not summarised, and later messages of others are
   * ignored.
   */
  readonly cause: number;
  readonly agent: AgentId;
}

/** How much of the conversation a slice holds. */
export interface SliceLength {
  /** The number of last messages that are not summarised. The default is about a quarter of the text. */
  readonly keep?: number;
  /**
   * Maximum length of the slice, in UTF-16 code units. A slice always holds at least one message.
   */
  readonly maxLength: number;
}

export interface Slice {
  readonly messages: readonly StoredMessage[];
  /** Offset of the slice's last event. */
  readonly through: number;
}

/** Share of the text that is not summarised when a session is too long. */
const KEPT_SHARE = 1 / 4;
/** Approximate length of a message's note (author and time). */
const NOTE_LENGTH = 60;

/**
 * Returns the oldest messages in room order, or undefined if no message precedes the one to answer.
 * Keeps a question and the agent's answer together if possible.
 */
export const chooseSlice = ({ current, cause, agent, keep, maxLength }: SliceOptions): Slice | undefined => {
  const messages = current.messages.filter(({ id, offset }) => offset < cause && !current.removed.has(id));
  const wantedCount = Math.max(
    0,
    keep === undefined ? countForShare(messages, 1 - KEPT_SHARE) : messages.length - keep,
  );
  const fittingCount = Math.max(1, countFitting(messages, maxLength));
  const count = includeAnswers(messages, Math.min(wantedCount, fittingCount), agent);
  if (count === 0) return undefined;
  const nextMessage = messages[count];
  return {
    messages: messages.slice(0, count),
    through: nextMessage === undefined ? cause - 1 : nextMessage.offset - 1,
  };
};

const lengthOf = ({ body }: StoredMessage): number => body.text.length + NOTE_LENGTH;

/** Counts the first messages that together contain at least this share of the text. */
const countForShare = (messages: readonly StoredMessage[], share: number): number => {
  const wantedLength = messages.reduce((sum, message) => sum + lengthOf(message), 0) * share;
  let length = 0;
  let count = 0;
  for (const message of messages) {
    if (length >= wantedLength) break;
    length += lengthOf(message);
    count += 1;
  }
  return count;
};

const countFitting = (messages: readonly StoredMessage[], maxLength: number): number => {
  let length = 0;
  for (const [index, message] of messages.entries()) {
    length += lengthOf(message);
    if (length > maxLength) return index;
  }
  return messages.length;
};

/** Extends the slice so that no remaining answer is separated from its question. */
const includeAnswers = (messages: readonly StoredMessage[], count: number, agent: AgentId): number => {
  if (count === 0) return 0;
  const ids = new Set(messages.slice(0, count).map(({ id }) => id));
  for (let end = count; end < messages.length; end += 1) {
    const isAnswered = (message: StoredMessage): boolean =>
      message.author === agent &&
      (message.causes.length === 0 ? message === messages[end] : message.causes.some((id) => ids.has(id)));
    if (!messages.slice(end).some(isAnswered)) return end;
    const nextMessage = messages[end];
    if (nextMessage !== undefined) ids.add(nextMessage.id);
  }
  return messages.length;
};
