/**
 * Folds a room's events into its messages. Events may arrive in any order and more than once, and
 * those of older pages may arrive later. Pure.
 */
import {
  type Attachment,
  type Citation,
  type EventId,
  isHeartbeat,
  type StoredDeletion,
  type StoredEdit,
  type StoredMessage,
  type StoredRoomEvent,
} from "@hearth/protocol";
import type { RoomMessage } from "./room.ts";

/** Whether a message was edited or deleted after it was sent. */
interface MessageChanges {
  readonly edit: StoredEdit | undefined;
  readonly deletion: StoredDeletion | undefined;
}

/** The events that concern messages. */
type MessageLogEvent = StoredMessage | StoredEdit | StoredDeletion;

const isMessageLogEvent = (event: StoredRoomEvent): event is MessageLogEvent =>
  event.type === "message" || event.type === "message-edited" || event.type === "message-deleted";

export interface RoomFold {
  /** The messages, oldest first. An unchanged message is the same object as before. */
  readonly messages: readonly RoomMessage[];
  /** Edits and deletions by message, including messages that are not loaded yet. */
  readonly changesByMessage: ReadonlyMap<EventId, MessageChanges>;
}

export const emptyRoom: RoomFold = { messages: [], changesByMessage: new Map() };

export const foldRoom = (fold: RoomFold, all: readonly StoredRoomEvent[]): RoomFold => {
  const events = all.filter(isMessageLogEvent);
  const changesByMessage = foldChanges(fold.changesByMessage, events);
  // A heartbeat's prompt has no human author, so it is not shown as a message.
  const sent = events.filter(
    (event): event is StoredMessage => event.type === "message" && (event.job === undefined || !isHeartbeat(event.job)),
  );
  const changed = new Set(events.flatMap((event) => (event.type === "message" ? [] : [event.message])));
  const before =
    changesByMessage === fold.changesByMessage
      ? fold.messages
      : fold.messages.map((one) => (changed.has(one.id) ? applyChanges(one, changesByMessage) : one));
  const isSame = before.every((one, index) => one === fold.messages[index]);
  const messages = merge(
    isSame ? fold.messages : before,
    sent.map((message) => applyChanges(toMessage(message), changesByMessage)),
  );
  return messages === fold.messages && changesByMessage === fold.changesByMessage
    ? fold
    : { messages, changesByMessage };
};

/** Adds edits and deletions. The last edit in room order applies, and a deletion is permanent. */
const foldChanges = (
  fates: RoomFold["changesByMessage"],
  events: readonly MessageLogEvent[],
): RoomFold["changesByMessage"] => {
  const changes = events.filter((event) => event.type !== "message");
  const next = new Map(fates);
  let isSame = true;
  for (const event of changes) {
    const fate = next.get(event.message) ?? { edit: undefined, deletion: undefined };
    if (event.type === "message-deleted" ? fate.deletion !== undefined : (fate.edit?.offset ?? 0) >= event.offset)
      continue;
    isSame = false;
    next.set(event.message, event.type === "message-deleted" ? { ...fate, deletion: event } : { ...fate, edit: event });
  }
  return isSame ? fates : next;
};

const toMessage = (event: StoredMessage): RoomMessage => ({
  id: event.id,
  offset: event.offset,
  author: event.author,
  at: event.at,
  text: event.body.text,
  attachments: event.attachments ?? NO_ATTACHMENTS,
  citations: event.citations ?? NO_CITATIONS,
  editedAt: undefined,
  isDeleted: false,
  isDamaged: event.damaged === true,
  replyTo: event.replyTo,
  causes: event.causes,
  activation: event.activation,
  toolCalls: event.toolCalls ?? 0,
  isStopped: event.stopped === true,
  job: event.job?.name,
  label: event.label,
});

const NO_ATTACHMENTS: readonly Attachment[] = [];
const NO_CITATIONS: readonly Citation[] = [];

const applyChanges = (message: RoomMessage, fates: RoomFold["changesByMessage"]): RoomMessage => {
  const fate = fates.get(message.id);
  if (fate === undefined || message.isDeleted) return message;
  if (fate.deletion !== undefined)
    return {
      ...message,
      text: "",
      attachments: NO_ATTACHMENTS,
      citations: NO_CITATIONS,
      editedAt: undefined,
      isDeleted: true,
    };
  return fate.edit === undefined
    ? message
    : { ...message, text: fate.edit.body.text, editedAt: fate.edit.at, isDamaged: false };
};

/** Merges messages. `held` is sorted and has no duplicates. `fresh` may be unsorted and may repeat messages. */
const merge = (held: readonly RoomMessage[], fresh: readonly RoomMessage[]): readonly RoomMessage[] => {
  const byOffset = new Map(fresh.map((message) => [message.offset, message]));
  const first = held[0];
  const last = held.at(-1);
  const added = [...byOffset.values()].sort((one, other) => one.offset - other.offset);
  const [firstAdded, lastAdded] = [added[0], added.at(-1)];
  if (firstAdded === undefined || lastAdded === undefined) return held;
  if (first === undefined || last === undefined) return added;
  if (firstAdded.offset > last.offset) return [...held, ...added];
  for (const message of held) byOffset.delete(message.offset);
  if (byOffset.size === 0) return held;
  return [...held, ...byOffset.values()].sort((one, other) => one.offset - other.offset);
};
