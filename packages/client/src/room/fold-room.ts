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

export const foldRoom = (fold: RoomFold, newEvents: readonly StoredRoomEvent[]): RoomFold => {
  const events = newEvents.filter(isMessageLogEvent);
  const changesByMessage = foldChanges(fold.changesByMessage, events);
  // A heartbeat's prompt has no human author, so it is not shown as a message.
  const newMessages = events.filter(
    (event): event is StoredMessage => event.type === "message" && !isHeartbeatPrompt(event),
  );
  const changedIds = new Set(events.flatMap((event) => (event.type === "message" ? [] : [event.message])));
  const changedMessages =
    changesByMessage === fold.changesByMessage
      ? fold.messages
      : fold.messages.map((message) =>
          changedIds.has(message.id) ? applyChanges(message, changesByMessage) : message,
        );
  const isSame = changedMessages.every((message, index) => message === fold.messages[index]);
  const messages = merge(
    isSame ? fold.messages : changedMessages,
    newMessages.map((message) => applyChanges(toMessage(message), changesByMessage)),
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
  changesByMessage: RoomFold["changesByMessage"],
  events: readonly MessageLogEvent[],
): RoomFold["changesByMessage"] => {
  const changes = events.filter((event) => event.type !== "message");
  const newChanges = new Map(changesByMessage);
  let isSame = true;
  for (const event of changes) {
    const priorChanges = newChanges.get(event.message) ?? UNCHANGED;
    const updatedChanges = withChange(priorChanges, event);
    if (updatedChanges === priorChanges) continue;
    isSame = false;
    newChanges.set(event.message, updatedChanges);
  }
  return isSame ? changesByMessage : newChanges;
};

const UNCHANGED: MessageChanges = { edit: undefined, deletion: undefined, reactions: new Map() };

/** Returns the same object if the event is not newer than the known ones. */
const withChange = (priorChanges: MessageChanges, event: Exclude<MessageLogEvent, StoredMessage>): MessageChanges => {
  switch (event.type) {
    case "message-deleted":
      return priorChanges.deletion === undefined ? { ...priorChanges, deletion: event } : priorChanges;
    case "message-edited":
      return (priorChanges.edit?.offset ?? 0) < event.offset ? { ...priorChanges, edit: event } : priorChanges;
    case "message-reacted": {
      const key = `${event.by} ${event.emoji}`;
      return (priorChanges.reactions.get(key)?.offset ?? 0) < event.offset
        ? { ...priorChanges, reactions: new Map(priorChanges.reactions).set(key, event) }
        : priorChanges;
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

const applyChanges = (message: RoomMessage, changesByMessage: RoomFold["changesByMessage"]): RoomMessage => {
  const changes = changesByMessage.get(message.id);
  if (changes === undefined || message.isDeleted) return message;
  if (changes.deletion !== undefined)
    return {
      ...message,
      text: "",
      attachments: NO_ATTACHMENTS,
      citations: NO_CITATIONS,
      reactions: NO_REACTIONS,
      editedAt: undefined,
      isDeleted: true,
    };
  const reactions = changes.reactions.size === 0 ? message.reactions : toReactions(changes.reactions.values());
  return changes.edit === undefined
    ? { ...message, reactions }
    : { ...message, reactions, text: changes.edit.body.text, editedAt: changes.edit.at, isDamaged: false };
};

/**
 * Merges messages. `loadedMessages` is sorted and has no duplicates. `newerMessages` may be unsorted
 * and may repeat messages.
 */
const merge = (
  loadedMessages: readonly RoomMessage[],
  newerMessages: readonly RoomMessage[],
): readonly RoomMessage[] => {
  const byOffset = new Map(newerMessages.map((message) => [message.offset, message]));
  const firstLoaded = loadedMessages[0];
  const lastLoaded = loadedMessages.at(-1);
  const newMessages = [...byOffset.values()].sort((a, b) => a.offset - b.offset);
  const [firstAdded, lastAdded] = [newMessages[0], newMessages.at(-1)];
  if (firstAdded === undefined || lastAdded === undefined) return loadedMessages;
  if (firstLoaded === undefined || lastLoaded === undefined) return newMessages;
  if (firstAdded.offset > lastLoaded.offset) return [...loadedMessages, ...newMessages];
  for (const message of loadedMessages) byOffset.delete(message.offset);
  if (byOffset.size === 0) return loadedMessages;
  return [...loadedMessages, ...byOffset.values()].sort((a, b) => a.offset - b.offset);
};
