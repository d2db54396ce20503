/**
 * Reduces a room's events to its messages in their last edited form, and the set of deleted
 * messages.
 */
import type { EventId, Stored, StoredMessage } from "@hearth/protocol";

export interface CurrentMessages {
  /** The messages in room order, including deleted ones, because replies still refer to those. */
  readonly messages: readonly StoredMessage[];
  readonly removed: ReadonlySet<EventId>;
}

export const currentMessages = (events: readonly Stored[]): CurrentMessages => {
  // Most rooms have no edits and no deletions, and then every message is current.
  if (!events.some(({ type }) => type === "message-edited" || type === "message-deleted"))
    return { messages: events.filter((event) => event.type === "message"), removed: NOTHING_REMOVED };
  const messages = new Map<EventId, StoredMessage>();
  const removed = new Set<EventId>();
  for (const event of events) {
    if (event.type === "message") messages.set(event.id, event);
    else if (event.type === "message-deleted") removed.add(event.message);
    else if (event.type === "message-edited") {
      const message = messages.get(event.message);
      if (message !== undefined)
        messages.set(message.id, { ...withoutDamage(message), ...rewritten(message), body: event.body });
    }
  }
  return { messages: [...messages.values()], removed };
};

const NOTHING_REMOVED: ReadonlySet<EventId> = new Set();

/** The text of an edit is readable even if the original is damaged. */
const withoutDamage = ({ damaged: _, ...message }: StoredMessage): StoredMessage => message;

/** After a person edits a text, no part of it is a job's prompt any more. */
const rewritten = ({ job }: StoredMessage): Pick<StoredMessage, "job"> =>
  job === undefined ? {} : { job: { name: job.name, context: job.context } };
