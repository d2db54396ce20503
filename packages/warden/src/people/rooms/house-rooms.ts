/**
 * Actions in rooms: posts, edits and deletes messages, and finds the direct room of two agents.
 * Decides who may write and whom a text mentions.
 */
import type { Guard, DurableStreams, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  type EventId,
  HearthError,
  isForHouse,
  type MessageDeleted,
  type MessageEdited,
  type MessageEvent,
  parseMentions,
  includesLevel,
  type ReactToMessage,
  type RoomId,
  type RoomRecord,
  type StoredMessage,
  type World,
  type StoredDeletion,
  type StoredEdit,
  type StoredReaction,
} from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Records } from "../records/records.ts";
import type { Chats } from "./chats.ts";
import type { Uploads } from "../uploads/uploads.ts";

export interface NewMessage {
  readonly text: string;
  /** Ids of complete uploads of the author. Absent if the message has no files. */
  readonly attachments?: readonly string[];
  /** A second message with the same key, author and room is the same message. */
  readonly idempotencyKey?: string;
  readonly replyTo?: EventId;
}

export interface Rooms {
  /** Returns the event of a text with its mentions, without writing it. */
  compose(room: RoomRecord, message: NewMessage, author: AgentId): Promise<MessageEvent>;
  /**
   * Returns the event of an edit, and the guard that the message was not deleted. Writes nothing.
   */
  composeEdit(
    room: RoomId,
    message: EventId,
    text: string,
    by: AgentId,
  ): { readonly event: MessageEdited; readonly guard: Guard };
  /**
   * Appends a message. Durable when it resolves; a repeated key returns the first message. Throws
   * `record.not-found`, `auth.denied`, `upload.not-found`, `upload.incomplete`.
   */
  post(room: RoomId, message: NewMessage, author: AgentId): Promise<StoredMessage>;
  /**
   * Replaces the text of a message. Only its author may do this. Throws `record.not-found`,
   * `auth.denied`, `message.not-found`.
   */
  edit(room: RoomId, message: EventId, text: string, by: AgentId): Promise<StoredEdit>;
  /**
   * Deletes a message permanently. Its author may do this, and people who decide in the room.
   * Throws like `edit`, also if the message is already deleted.
   */
  remove(room: RoomId, message: EventId, by: AgentId): Promise<StoredDeletion>;
  /**
   * Sets whether the agent's emoji is on the message. A repeat returns the first event. Throws
   * `record.not-found`, `auth.denied`, `message.not-found`.
   */
  react(room: RoomId, message: EventId, reaction: ReactToMessage, by: AgentId): Promise<StoredReaction>;
  /** Returns the offset of the room's first event at this instant or later, if any. */
  offsetAt(room: RoomId, time: number): Promise<number | undefined>;
  /** Whether the message was deleted. */
  isRemoved(room: RoomId, message: EventId): Promise<boolean>;
  /**
   * Returns the default direct room of two agents, which is the oldest. Creates it on first use.
   */
  direct(a: AgentId, b: AgentId): Promise<RoomRecord>;
}

export interface RoomsOptions {
  readonly world: World;
  readonly records: Records;
  readonly permissions: Pick<Permissions, "levelOf">;
  readonly streams: DurableStreams;
  readonly uploads: Pick<Uploads, "planMessage" | "planRemoval">;
  readonly chats: Pick<Chats, "titleFrom" | "retitle">;
}

export const createRooms = ({ world, records, permissions, streams, uploads, chats }: RoomsOptions): Rooms => {
  const mentionsIn = async (text: string, room: RoomRecord): Promise<AgentId[]> => {
    const handles = text.includes("@") ? parseMentions(text) : [];
    if (handles.length === 0) return [];
    const mentionedAgents = (await records.list("agent")).filter((agent) => handles.includes(agent.handle));
    const houseAgents = mentionedAgents.filter(({ house }) => house === room.house);
    const ownHandles = new Set(houseAgents.map(({ handle }) => handle));
    const guests: AgentRecord[] = [];
    // Agents of other houses with access here. For a handle in both houses, the agent of the room's
    // house is meant.
    for (const agent of mentionedAgents)
      if (!ownHandles.has(agent.handle) && includesLevel(await permissions.levelOf({ agent: agent.id }, room.id), "r"))
        guests.push(agent);
    return [...houseAgents, ...guests].map(({ id }) => id);
  };

  const compose = async (room: RoomRecord, message: NewMessage, author: AgentId): Promise<MessageEvent> => ({
    type: "message",
    room: room.id,
    author,
    at: world.clock.now(),
    body: { format: "markdown", text: message.text },
    mentions: await mentionsIn(message.text, room),
    causes: [],
    ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    ...(message.idempotencyKey === undefined ? {} : { key: message.idempotencyKey }),
  });

  /** Returns the room if this agent may write in it. The caller checks a key's scope. */
  const requireWritable = async (id: RoomId, agent: AgentId): Promise<RoomRecord> => {
    const room = await records.get("room", id);
    if (includesLevel(await permissions.levelOf({ agent }, id), "w")) return room;
    throw new HearthError("auth.denied", `You may not write in the room "${room.content.name}".`, {
      hint: `A person with x there can give you access: hearth grant add NAME w --on ${room.handle}`,
    });
  };

  const messageIn = async (room: RoomId, id: EventId): Promise<StoredMessage> => {
    const event = await streams.find(`room:${room}`, id);
    if (event?.type === "message") return event;
    throw messageNotFoundError(id);
  };

  /** Returns a derived id, so that concurrent deletions of a message are one event. */
  const removalOf = (message: EventId): EventId => world.ids.derive("evt", message, "deleted");

  const composeEdit: Rooms["composeEdit"] = (room, message, text, by) => ({
    event: {
      type: "message-edited",
      room,
      by,
      at: world.clock.now(),
      message,
      body: { format: "markdown", text },
    },
    guard: notDeletedGuard(room, message),
  });

  /** Guards that the message was not deleted. */
  const notDeletedGuard = (room: RoomId, message: EventId): Guard => ({
    kind: "absent",
    table: "events",
    where: { stream: `room:${room}`, id: removalOf(message) },
  });

  /** Appends a change of a message, unless the message has been deleted. */
  const commitChange = async <Event extends MessageEdited | MessageDeleted>(
    id: EventId,
    event: Event,
    writes: readonly Write[] = [],
  ): Promise<Event & { readonly id: EventId; readonly offset: number }> => {
    const stream = `room:${event.room}` as const;
    const result = await streams.commit({
      guards: [notDeletedGuard(event.room, event.message)],
      writes,
      events: [{ stream, id, event }],
    });
    const [appended] = result.kind === "committed" ? result.appended : [];
    if (appended === undefined) throw messageNotFoundError(event.message);
    await changeTitle({ records, chats }, event);
    return { ...event, id, offset: appended.offset };
  };

  return {
    compose,
    composeEdit,

    async post(id, message, author) {
      const room = await requireWritable(id, author);
      const { idempotencyKey, attachments: uploadIds = [] } = message;
      const event = await compose(room, message, author);
      const eventId =
        idempotencyKey === undefined ? world.ids.fresh("evt") : world.ids.derive("evt", id, author, idempotencyKey);
      if (uploadIds.length > 0) {
        const { postWithFiles } = await import("./post-with-files.ts");
        const postedMessage = await postWithFiles({ streams, uploads }, eventId, event, uploadIds);
        await giveTitle(chats, room, postedMessage);
        return postedMessage;
      }
      const result = await streams.append({ stream: `room:${id}`, id: eventId, event });
      switch (result.kind) {
        case "appended":
          await giveTitle(chats, room, { ...event, id: eventId });
          return { ...event, id: eventId, offset: result.offset };
        case "duplicate": {
          const firstMessage = await streams.find(`room:${id}`, eventId);
          return firstMessage as StoredMessage;
        }
        case "conflict":
          // Only an append with `expected` can conflict.
          throw new Error(`an unconditional append to ${id} conflicted`);
      }
    },

    async edit(room, id, text, by) {
      await requireWritable(room, by);
      const message = await messageIn(room, id);
      if (message.author !== by) throw notAuthorError("Only the author of a message can edit it.");
      return commitChange(world.ids.fresh("evt"), composeEdit(room, id, text, by).event);
    },

    async remove(room, id, by) {
      await requireWritable(room, by);
      const message = await messageIn(room, id);
      if (message.author !== by && !includesLevel(await permissions.levelOf({ agent: by }, room), "x"))
        throw notAuthorError("Only the author of a message, or a person who decides in its room, can delete it.");
      const { writes } = await uploads.planRemoval(id);
      const event = { type: "message-deleted", room, by, at: world.clock.now(), message: id } as const;
      return commitChange(removalOf(id), event, writes);
    },

    async react(room, id, reaction, by) {
      await requireWritable(room, by);
      await messageIn(room, id);
      const { react } = await import("./react.ts");
      const event = await react({ world, streams }, { room, message: id, by, ...reaction }, notDeletedGuard(room, id));
      if (event === undefined) throw messageNotFoundError(id);
      return event;
    },

    offsetAt: async (room, time) => (await import("./offset-at.ts")).offsetAt(streams, room, time),

    isRemoved: async (room, message) => (await streams.find(`room:${room}`, removalOf(message))) !== undefined,

    direct: async (a, b) => (await import("./direct-room.ts")).findOrCreateDirectRoom({ world, records }, a, b),
  };
};

const messageNotFoundError = (id: EventId): HearthError =>
  new HearthError("message.not-found", `There is no message ${id} in this room, or it was deleted.`, {
    hint: "List the room's events: hearth room events ROOM",
  });

const notAuthorError = (message: string): HearthError =>
  new HearthError("auth.denied", message, { hint: "Use the key or the login of its author." });

/** Gives a new chat the title from its first message. Commands for the house give no title. */
const giveTitle = async (
  chats: Pick<Chats, "titleFrom" | "retitle">,
  room: RoomRecord,
  { id, body, author }: MessageEvent & { readonly id: EventId },
): Promise<void> => {
  if (room.content.titleFrom === "next" && !isForHouse(body.text)) await chats.titleFrom(room, id, body.text, author);
};

/** Changes a title with the message that gave it. A deleted message removes the title. */
const changeTitle = async (
  { records, chats }: { readonly records: Records; readonly chats: Pick<Chats, "titleFrom" | "retitle"> },
  event: MessageEdited | MessageDeleted,
): Promise<void> => {
  const room = await records.find("room", event.room);
  const text = event.type === "message-edited" ? event.body.text : undefined;
  if (room?.content.titleFrom === event.message) await chats.retitle(room.id, event.message, text, event.by);
};
