/**
 * Describes the new reactions to an agent's messages, for the note of the message that it answers.
 * The reactions are part of the same room, so its members see them anyway.
 */
import { type AgentId, type EventId, type StoredReaction, toReactions } from "@hearth/protocol";
import type { CurrentMessages } from "./current-messages.ts";

/** Maximum number of messages, of emoji per message and of names per emoji in the note. */
const MAX_MESSAGES = 3;
const MAX_EMOJI = 5;
const MAX_NAMES = 5;

export interface ReactionNoteOptions {
  readonly current: CurrentMessages;
  readonly causeOffset: number;
  readonly agent: AgentId;
  readonly nameOf: (agent: AgentId) => string;
}

/**
 * Returns the end of the note, or "". New reactions are those after the message that the agent
 * answered last, so that the agent reads each reaction once.
 */
export const reactionNote = ({ current, causeOffset, agent, nameOf }: ReactionNoteOptions): string => {
  const { messages, removed, reactions = [] } = current;
  if (reactions.length === 0) return "";
  const ownMessages = messages.filter(
    ({ id, author, offset }) => author === agent && offset < causeOffset && !removed.has(id),
  );
  const answeredMessages = new Set<EventId>(ownMessages.at(-1)?.causes ?? []);
  const answeredOffsets = messages.flatMap(({ id, offset }) => (answeredMessages.has(id) ? [offset] : []));
  const answeredOffset = answeredOffsets.reduce((max, offset) => Math.max(max, offset), 0);
  const byMessage = new Map<EventId, StoredReaction[]>();
  for (const reaction of reactions) {
    if (reaction.offset <= answeredOffset || reaction.by === agent) continue;
    byMessage.set(reaction.message, [...(byMessage.get(reaction.message) ?? []), reaction]);
  }
  const notes = ownMessages
    .toReversed()
    .flatMap(({ id }, index) => {
      const reactionsToMessage = toReactions(byMessage.get(id) ?? []).slice(0, MAX_EMOJI);
      if (reactionsToMessage.length === 0) return [];
      const descriptions = reactionsToMessage.map(
        ({ emoji, by }) => `${emoji} by ${by.slice(0, MAX_NAMES).map(nameOf).join(", ")}`,
      );
      return [`${descriptions.join("; ")} on your ${index === 0 ? "last" : "earlier"} message`];
    })
    .slice(0, MAX_MESSAGES);
  return notes.length === 0 ? "" : `, reactions: ${notes.join("; ")}`;
};
