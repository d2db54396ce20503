/** Reduces a room's events to its messages, with their last edits and a set of the deleted ones. */
import type { EventId, Stored, StoredMessage } from "@hearth/protocol";

export interface CurrentMessages {
  /** In room order, including deleted ones: replies still refer to them. */
  readonly messages: readonly StoredMessage[];
  readonly removed: ReadonlySet<EventId>;
}

export const currentMessages = (events: readonly Stored[]): CurrentMessages => {
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

/** The text of an edit is readable even if the original is damaged. */
const withoutDamage = ({ damaged: _, ...message }: StoredMessage): StoredMessage => message;

/** After a person edits a text, no part of it counts as a job's prompt. */
const rewritten = ({ job }: StoredMessage): Pick<StoredMessage, "job"> =>
  job === undefined ? {} : { job: { name: job.name, context: job.context } };
