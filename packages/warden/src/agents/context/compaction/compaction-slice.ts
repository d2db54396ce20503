/** Which of a session's messages become a summary. Pure. */
import type { AgentId, StoredMessage } from "@hearth/protocol";
import type { Standing } from "../standing.ts";

export interface SliceOptions {
  readonly seen: Standing;
  /** The offset of the message that is to be answered: it stays, and what others said after it is not read. */
  readonly cause: number;
  readonly agent: AgentId;
  /** So many of the last messages stay. Absent: about a quarter of the text. */
  readonly keep?: number;
  /** Text of this length at most, in UTF-16 code units, but one message at least. */
  readonly maxLength: number;
}

export interface Slice {
  readonly messages: readonly StoredMessage[];
  /** The last event that it holds. */
  readonly through: number;
}

/** Of the text: what stays of a session that is too long. */
const KEPT_SHARE = 1 / 4;
/** What a model is told of each message: who, and when. */
const NOTE_LENGTH = 60;

/**
 * The oldest messages, in the room's order; nothing when there are none before the one that is to be answered. A question and the agent's
 * own answer to it stay together where that can be.
 */
export const chooseSlice = ({ seen, cause, agent, keep, maxLength }: SliceOptions): Slice | undefined => {
  const messages = seen.messages.filter(({ id, offset }) => offset < cause && !seen.removed.has(id));
  const wanted = Math.max(0, keep === undefined ? countOf(messages, 1 - KEPT_SHARE) : messages.length - keep);
  const fitting = Math.max(1, fittingIn(messages, maxLength));
  const count = withAnswers(messages, Math.min(wanted, fitting), agent);
  if (count === 0) return undefined;
  const next = messages[count];
  return { messages: messages.slice(0, count), through: next === undefined ? cause - 1 : next.offset - 1 };
};

const lengthOf = ({ body }: StoredMessage): number => body.text.length + NOTE_LENGTH;

/** How many of the first messages hold that share of the text, at least. */
const countOf = (messages: readonly StoredMessage[], share: number): number => {
  const enough = messages.reduce((sum, message) => sum + lengthOf(message), 0) * share;
  let length = 0;
  let count = 0;
  for (const message of messages) {
    if (length >= enough) break;
    length += lengthOf(message);
    count += 1;
  }
  return count;
};

const fittingIn = (messages: readonly StoredMessage[], maxLength: number): number => {
  let length = 0;
  for (const [index, message] of messages.entries()) {
    length += lengthOf(message);
    if (length > maxLength) return index;
  }
  return messages.length;
};

/** A few more, so that no answer stays without what it answers. */
const withAnswers = (messages: readonly StoredMessage[], count: number, agent: AgentId): number => {
  if (count === 0) return 0;
  const ids = new Set(messages.slice(0, count).map(({ id }) => id));
  for (let end = count; end < messages.length; end += 1) {
    const isAnswered = (own: StoredMessage): boolean =>
      own.author === agent && (own.causes.length === 0 ? own === messages[end] : own.causes.some((id) => ids.has(id)));
    if (!messages.slice(end).some(isAnswered)) return end;
    const next = messages[end];
    if (next !== undefined) ids.add(next.id);
  }
  return messages.length;
};
