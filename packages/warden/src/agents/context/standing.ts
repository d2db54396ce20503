/** A room's events → its messages as they stand at the last of them: with their last edit, and known which were taken back. */
import type { EventId, Stored, StoredMessage } from "@hearth/protocol";

export interface Standing {
  /** In the order of the room, those that were taken back too: others still stand after them. */
  readonly messages: readonly StoredMessage[];
  readonly removed: ReadonlySet<EventId>;
}

export const standing = (events: readonly Stored[]): Standing => {
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

/** The new text of an edit can be read, whatever became of the first one. */
const withoutDamage = ({ damaged: _, ...message }: StoredMessage): StoredMessage => message;

/** Of a text that somebody wrote anew nobody can say any more which part of it is a job's prompt. */
const rewritten = ({ job }: StoredMessage): Pick<StoredMessage, "job"> =>
  job === undefined ? {} : { job: { name: job.name, context: job.context } };
