/**
 * Branches a chat: copies its messages up to one of them into a new chat of the same two members, so
 * that no person or agent reads more than before.
 */
import type { DurableStreams, Guard, NewEvent, Store, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  type EventId,
  HearthError,
  isHeartbeatPrompt,
  type MessageEvent,
  type RoomId,
  type RoomRecord,
  type StoredEdit,
  type StoredMessage,
  type World,
} from "@hearth/protocol";

export interface BranchOptions {
  readonly world: Pick<World, "ids">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "head" | "read" | "find" | "commit">;
  readonly create: (
    person: AgentId,
    agent: AgentId,
    extraFields: { readonly branch: { readonly room: RoomId; readonly message: EventId } },
  ) => Promise<RoomRecord>;
}

/** Maximum number of copied messages. The origin has the earlier ones. */
const MAX_COPIED_MESSAGES = 1000;
const EVENTS_PER_READ = 1000;

/** Returns the id of a copy. It derives from the copy's room and the original, so that forgetting finds the copies. */
export const copyId = (ids: World["ids"], room: RoomId, original: EventId): EventId =>
  ids.derive("evt", room, original, "copied");

export const branchChat = async (
  { world, store, streams, create }: BranchOptions,
  origin: RoomRecord,
  message: EventId,
  person: AgentId,
): Promise<RoomRecord> => {
  const { kind, members = [] } = origin.content;
  const agent = members.find((id) => id !== person);
  if (kind !== "direct" || agent === undefined)
    throw new HearthError(
      "record.invalid",
      `${origin.content.name} is not a direct room, and only direct rooms can be branched.`,
      {
        hint: "Begin a chat with the agent, and quote the message there.",
      },
    );
  if (!members.includes(person))
    throw new HearthError("auth.denied", "Only a member of a chat can branch it.", {
      hint: "Use the login of a member.",
    });
  const originals = await readMessagesUpTo(streams, origin.id, message);
  const room = await create(person, agent, { branch: { room: origin.id, message } });
  const events: NewEvent[] = [];
  const guards: Guard[] = [];
  const writes: Write[] = [];
  for (const original of originals) {
    const id = copyId(world.ids, room.id, original.id);
    events.push({ stream: `room:${room.id}`, id, event: toCopy(original, room.id, world.ids) });
    if (original.attachments === undefined) continue;
    for (const { upload, caption } of await store.select({ table: "attachments", where: { event: original.id } })) {
      guards.push({ kind: "exists", table: "uploads", where: { id: upload } });
      writes.push({ kind: "insert", table: "attachments", row: { room: room.id, upload, event: id, caption } });
    }
  }
  const result = await streams.commit({ guards, writes, events });
  if (result.kind !== "committed") throw notFoundError(message);
  return room;
};

/** Returns the last messages up to this one in their current form, without deleted and damaged ones. */
const readMessagesUpTo = async (
  streams: Pick<DurableStreams, "head" | "read" | "find" | "commit">,
  room: RoomId,
  lastMessage: EventId,
): Promise<readonly StoredMessage[]> => {
  const stream = `room:${room}` as const;
  const lastEvent = await streams.find(stream, lastMessage);
  if (lastEvent?.type !== "message") throw notFoundError(lastMessage);
  const head = await streams.head(stream);
  const messages: StoredMessage[] = [];
  const edits = new Map<EventId, StoredEdit>();
  const removedIds = new Set<EventId>();
  // A message may be changed at any later time.
  for (let after = 0; after < head; after += EVENTS_PER_READ)
    for (const event of await streams.read(stream, after, EVENTS_PER_READ)) {
      if (event.type === "message-edited") edits.set(event.message, event);
      else if (event.type === "message-deleted") removedIds.add(event.message);
      else if (event.type === "message" && event.offset <= lastEvent.offset && isCopied(event)) messages.push(event);
    }
  if (removedIds.has(lastMessage)) throw notFoundError(lastMessage);
  return messages
    .filter(({ id }) => !removedIds.has(id))
    .slice(-MAX_COPIED_MESSAGES)
    .map((message) => ({ ...message, body: edits.get(message.id)?.body ?? message.body }));
};

/** Prompts of heartbeats are not part of the conversation. */
const isCopied = (message: StoredMessage): boolean => message.damaged !== true && !isHeartbeatPrompt(message);

const toCopy = (original: StoredMessage, room: RoomId, ids: World["ids"]): MessageEvent => {
  const { id, offset, key: _key, causes, replyTo, ...message } = original;
  return {
    ...message,
    room,
    causes: causes.map((cause) => copyId(ids, room, cause)),
    ...(replyTo === undefined ? {} : { replyTo: copyId(ids, room, replyTo) }),
    copied: { room: original.room, message: id, offset },
  };
};

const notFoundError = (message: EventId): HearthError =>
  new HearthError("message.not-found", `There is no message ${message} in this chat, or it was deleted.`, {
    hint: "List the room's events: hearth room events ROOM",
  });
