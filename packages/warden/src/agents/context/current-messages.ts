/**
 * Reduces a room's events to its messages in their last edited form, the set of deleted messages,
 * and the reactions.
 */
import type { EventId, Stored, StoredMessage, StoredReaction } from "@hearth/protocol";

export interface CurrentMessages {
  /** The messages in room order, including deleted ones, because replies still refer to those. */
  readonly messages: readonly StoredMessage[];
  readonly removed: ReadonlySet<EventId>;
  /** The changes of reactions, in room order. It is absent if they were not read. */
  readonly reactions?: readonly StoredReaction[];
}

export const currentMessages = (events: readonly Stored[]): CurrentMessages => {
  const reactions = events.filter((event) => event.type === "message-reacted");
  // Most rooms have no edits and no deletions, and then every message is current.
  if (!events.some(({ type }) => type === "message-edited" || type === "message-deleted"))
    return { messages: events.filter((event) => event.type === "message"), removed: NOTHING_REMOVED, reactions };
  const messages = new Map<EventId, StoredMessage>();
  const removed = new Set<EventId>();
  for (const event of events) {
    if (event.type === "message") messages.set(event.id, event);
    else if (event.type === "message-deleted") removed.add(event.message);
    else if (event.type === "message-edited") {
      const message = messages.get(event.message);
      if (message !== undefined)
        messages.set(message.id, { ...withoutDamage(message), ...jobAfterEdit(message), body: event.body });
    }
  }
  return { messages: [...messages.values()], removed, reactions };
};

const NOTHING_REMOVED: ReadonlySet<EventId> = new Set();

/** The text of an edit is readable even if the original is damaged. */
const withoutDamage = ({ damaged: _, ...message }: StoredMessage): StoredMessage => message;

/** A text that a person has edited is no longer a job's prompt. */
const jobAfterEdit = ({ job }: StoredMessage): Pick<StoredMessage, "job"> =>
  job === undefined ? {} : { job: { name: job.name, context: job.context } };
