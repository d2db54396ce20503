/**
 * Folds a room's events into its messages. Events may arrive in any order and more than once, and
 * those of older pages may arrive later. Pure.
 */
import {
  type AgentId,
  type Attachment,
  type Citation,
  type EventId,
  isHeartbeatPrompt,
  type StoredDeletion,
  type Reaction,
  type StoredEdit,
  type StoredEvent,
  type StoredMessage,
  type StoredReaction,
  type StoredRoomEvent,
  toReactions,
} from "@hearth/protocol";
import type { RoomMessage } from "./room.ts";

/** What happened to a message after it was sent. */
interface MessageChanges {
  readonly edit: StoredEdit | undefined;
  readonly deletion: StoredDeletion | undefined;
  /** The last event of each agent and emoji. */
  readonly reactions: ReadonlyMap<string, StoredReaction>;
}

/** The events that concern messages. */
type MessageLogEvent = StoredMessage | StoredEdit | StoredDeletion | StoredReaction;

export const isMessageLogEvent = (event: StoredEvent): event is MessageLogEvent =>
  event.type === "message" ||
  event.type === "message-edited" ||
  event.type === "message-deleted" ||
  event.type === "message-reacted";

export interface RoomFold {
  /** The messages, oldest first. An unchanged message is the same object as before. */
  readonly messages: readonly RoomMessage[];
  /** Edits, deletions and reactions by message, including messages that are not loaded yet. */
  readonly changesByMessage: ReadonlyMap<EventId, MessageChanges>;
}

export const emptyRoom: RoomFold = { messages: [], changesByMessage: new Map() };

export const foldRoom = (fold: RoomFold, all: readonly StoredRoomEvent[]): RoomFold => {
  const events = all.filter(isMessageLogEvent);
  const changesByMessage = foldChanges(fold.changesByMessage, events);
  // A heartbeat's prompt has no human author, so it is not shown as a message.
  const sent = events.filter((event): event is StoredMessage => event.type === "message" && !isHeartbeatPrompt(event));
  const changed = new Set(events.flatMap((event) => (event.type === "message" ? [] : [event.message])));
  const before =
    changesByMessage === fold.changesByMessage
      ? fold.messages
      : fold.messages.map((message) => (changed.has(message.id) ? applyChanges(message, changesByMessage) : message));
  const isSame = before.every((message, index) => message === fold.messages[index]);
  const messages = merge(
    isSame ? fold.messages : before,
    sent.map((message) => applyChanges(toMessage(message), changesByMessage)),
  );
  return messages === fold.messages && changesByMessage === fold.changesByMessage
    ? fold
    : { messages, changesByMessage };
};

/**
 * Adds edits, deletions and reactions. The last edit in room order applies, and the last reaction
 * per agent and emoji. A deletion is permanent.
 */
const foldChanges = (
  fates: RoomFold["changesByMessage"],
  events: readonly MessageLogEvent[],
): RoomFold["changesByMessage"] => {
  const changes = events.filter((event) => event.type !== "message");
  const next = new Map(fates);
  let isSame = true;
  for (const event of changes) {
    const fate = next.get(event.message) ?? UNCHANGED;
    const changed = withChange(fate, event);
    if (changed === fate) continue;
    isSame = false;
    next.set(event.message, changed);
  }
  return isSame ? fates : next;
};

const UNCHANGED: MessageChanges = { edit: undefined, deletion: undefined, reactions: new Map() };

/** Returns the same object if the event is not newer than the known ones. */
const withChange = (fate: MessageChanges, event: Exclude<MessageLogEvent, StoredMessage>): MessageChanges => {
  switch (event.type) {
    case "message-deleted":
      return fate.deletion === undefined ? { ...fate, deletion: event } : fate;
    case "message-edited":
      return (fate.edit?.offset ?? 0) < event.offset ? { ...fate, edit: event } : fate;
    case "message-reacted": {
      const key = `${event.by} ${event.emoji}`;
      return (fate.reactions.get(key)?.offset ?? 0) < event.offset
        ? { ...fate, reactions: new Map(fate.reactions).set(key, event) }
        : fate;
    }
  }
};

const toMessage = (event: StoredMessage): RoomMessage => ({
  id: event.id,
  offset: event.offset,
  author: event.author,
  at: event.at,
  text: event.body.text,
  attachments: event.attachments ?? NO_ATTACHMENTS,
  citations: event.citations ?? NO_CITATIONS,
  reactions: NO_REACTIONS,
  editedAt: undefined,
  isDeleted: false,
  isDamaged: event.damaged === true,
  replyTo: event.replyTo,
  causes: event.causes,
  activation: event.activation,
  toolCalls: event.toolCalls ?? 0,
  spokenFor: event.spokenFor ?? NO_LISTENERS,
  isStopped: event.stopped === true,
  job: event.job?.name,
  copied: event.copied,
  label: event.label,
});

const NO_ATTACHMENTS: readonly Attachment[] = [];
const NO_CITATIONS: readonly Citation[] = [];
const NO_LISTENERS: readonly AgentId[] = [];
const NO_REACTIONS: readonly Reaction[] = [];

const applyChanges = (message: RoomMessage, fates: RoomFold["changesByMessage"]): RoomMessage => {
  const fate = fates.get(message.id);
  if (fate === undefined || message.isDeleted) return message;
  if (fate.deletion !== undefined)
    return {
      ...message,
      text: "",
      attachments: NO_ATTACHMENTS,
      citations: NO_CITATIONS,
      reactions: NO_REACTIONS,
      editedAt: undefined,
      isDeleted: true,
    };
  const reactions = fate.reactions.size === 0 ? message.reactions : toReactions(fate.reactions.values());
  return fate.edit === undefined
    ? { ...message, reactions }
    : { ...message, reactions, text: fate.edit.body.text, editedAt: fate.edit.at, isDamaged: false };
};

/** Merges messages. `held` is sorted and has no duplicates. `fresh` may be unsorted and may repeat messages. */
const merge = (loaded: readonly RoomMessage[], newer: readonly RoomMessage[]): readonly RoomMessage[] => {
  const byOffset = new Map(newer.map((message) => [message.offset, message]));
  const first = loaded[0];
  const last = loaded.at(-1);
  const added = [...byOffset.values()].sort((a, b) => a.offset - b.offset);
  const [firstAdded, lastAdded] = [added[0], added.at(-1)];
  if (firstAdded === undefined || lastAdded === undefined) return loaded;
  if (first === undefined || last === undefined) return added;
  if (firstAdded.offset > last.offset) return [...loaded, ...added];
  for (const message of loaded) byOffset.delete(message.offset);
  if (byOffset.size === 0) return loaded;
  return [...loaded, ...byOffset.values()].sort((a, b) => a.offset - b.offset);
};
