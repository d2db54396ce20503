/**
 * Converts an update to an event of a room. The event id derives from the update's id, so a
 * redelivered update gives the same event.
 */
import type { Rooms, Uploads } from "../../people/index.ts";
import type { Guard, Store, Row, DurableStreams, Write } from "../../kernel/index.ts";
import type { AgentRecord, EventId, MessageEdited, MessageEvent, RoomId, RoomRecord, World } from "@hearth/protocol";
import type { InboundUpdate } from "../channel.ts";
import { type InboundFiles, type StoredFiles, withRefused } from "./inbound-files.ts";

export interface MessagesOptions {
  readonly world: Pick<World, "ids">;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly rooms: Rooms;
  readonly files: Pick<InboundFiles, "store">;
  readonly uploads: Pick<Uploads, "planMessage">;
}

export interface PlannedMessage {
  readonly id: EventId;
  readonly event: MessageEvent | MessageEdited;
  readonly guards: readonly Guard[];
  readonly writes: readonly Write[];
  /** The files of a new message. */
  readonly files: StoredFiles;
}

export interface Messages {
  /**
   * Returns the event, or undefined if it would add nothing: an edit of a deleted message, or a
   * message whose later edit has already arrived.
   */
  toEvent(
    channel: string,
    inbound: InboundUpdate,
    where: {
      readonly room: RoomRecord;
      readonly person: AgentRecord;
      /** The mentioned agents, if the text itself does not name them. */
      readonly mentionedAgents: readonly AgentRecord[];
    },
    signal: AbortSignal,
  ): Promise<PlannedMessage | undefined>;
}

export const createMessages = (options: MessagesOptions): Messages => {
  const { world, store, streams, rooms, files, uploads } = options;
  /** Returns the first update of this platform message that became an event. */
  const findFirst = async (
    channel: string,
    conversation: string,
    message: string,
  ): Promise<(Row<"inbound"> & { readonly room: string; readonly event: string }) | undefined> => {
    const rows = await store.select({
      table: "inbound",
      where: { channel, conversation, message, fate: "accepted" },
    });
    for (const row of rows) {
      if (row.room === null || row.event === null) continue;
      const event = await streams.find(`room:${row.room}`, row.event);
      // Edits of the message have rows, too.
      if (event?.type === "message") return { ...row, room: row.room, event: row.event };
    }
    return undefined;
  };

  /** Returns the event of the message that this one answers, if it is in the same room. */
  const replyTo = async (channel: string, { conversation, replyTo: message }: InboundUpdate, room: RoomId) => {
    if (message === undefined) return undefined;
    const inboundRow = await findFirst(channel, conversation.id, message);
    const [outboundRow] = await store.select({
      table: "outbox",
      where: { channel, conversation: conversation.id, state: "sent", external: message },
      limit: 1,
    });
    const row = inboundRow ?? outboundRow;
    return row?.room === room && row.event !== null ? row.event : undefined;
  };

  return {
    async toEvent(channel, inbound, { room, person, mentionedAgents }, signal) {
      const { conversation, text, messageId } = inbound;
      const id = world.ids.derive("evt", "inbound", channel, inbound.externalId);
      const firstUpdate = await findFirst(channel, conversation.id, messageId);
      if (firstUpdate !== undefined) {
        const [roomId, message] = [firstUpdate.room, firstUpdate.event];
        const isSameSender = firstUpdate.sender === inbound.sender.id;
        if (inbound.kind === "message" || !isSameSender || (await rooms.isRemoved(roomId, message))) return undefined;
        const { event, guard } = rooms.composeEdit(roomId, message, text, person.id);
        return { id, event, guards: [guard], writes: [], files: { uploads: [], refused: [] } };
      }
      const repliedEvent = await replyTo(channel, inbound, room.id);
      const storedFiles = await files.store(channel, inbound, person, signal);
      const event = await rooms.compose(
        room,
        {
          text: withRefused(text, storedFiles.refused),
          ...(repliedEvent === undefined ? {} : { replyTo: repliedEvent }),
        },
        person.id,
      );
      // In a group the platform knows best who is addressed: names there are not handles of this
      // house.
      const mentions = conversation.kind === "direct" ? event.mentions : mentionedAgents.map(({ id: agent }) => agent);
      const target = { author: person.id, room: room.id, event: id };
      const { attachments, guards, writes } = await uploads.planMessage(target, storedFiles.uploads);
      const attachmentsField = attachments.length === 0 ? {} : { attachments: [...attachments] };
      return { id, event: { ...event, mentions, ...attachmentsField }, guards, writes, files: storedFiles };
    },
  };
};
