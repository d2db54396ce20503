/**
 * Converts an update to an event of a room. The event id derives from the update's id, so a
 * redelivered update gives the same event.
 */
import type { Rooms } from "../../people/index.ts";
import type { Guard, Store, Row, DurableStreams } from "../../kernel/index.ts";
import type { AgentId, EventId, MessageEdited, MessageEvent, RoomId, RoomRecord, World } from "@hearth/protocol";
import type { Inbound } from "../channel.ts";

export interface MessagesOptions {
  readonly world: Pick<World, "ids">;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly rooms: Rooms;
}

export interface Said {
  readonly id: EventId;
  readonly event: MessageEvent | MessageEdited;
  readonly guards: readonly Guard[];
}

export interface Messages {
  /**
   * Undefined when it adds nothing: an edit of a deleted message, or a message whose later edit has
   * arrived already.
   */
  toEvent(
    channel: string,
    inbound: Inbound,
    where: {
      readonly room: RoomRecord;
      readonly person: AgentId;
      /** The agents that it mentions, where the text does not say so. */
      readonly called: readonly AgentId[];
    },
  ): Promise<Said | undefined>;
}

export const createMessages = ({ world, store, streams, rooms }: MessagesOptions): Messages => {
  /** The first update of this platform message that became an event. */
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
      // Its edits have rows, too.
      if (event?.type === "message") return { ...row, room: row.room, event: row.event };
    }
    return undefined;
  };

  /** The event of the message that this one replies to, if it is in the same room. */
  const replyTo = async (channel: string, { conversation, replyTo: message }: Inbound, room: RoomId) => {
    if (message === undefined) return undefined;
    const theirs = await findFirst(channel, conversation.id, message);
    const [ours] = await store.select({
      table: "outbox",
      where: { channel, conversation: conversation.id, state: "sent", external: message },
      limit: 1,
    });
    const found = theirs ?? ours;
    return found?.room === room && found.event !== null ? found.event : undefined;
  };

  return {
    async toEvent(channel, inbound, { room, person, called }) {
      const { conversation, text, messageId } = inbound;
      const id = world.ids.derive("evt", "inbound", channel, inbound.externalId);
      const first = await findFirst(channel, conversation.id, messageId);
      if (first !== undefined) {
        const [where, message] = [first.room, first.event];
        const isTheirs = first.sender === inbound.sender.id;
        if (inbound.kind === "message" || !isTheirs || (await rooms.isRemoved(where, message))) return undefined;
        const { event, guard } = rooms.composeEdit(where, message, text, person);
        return { id, event, guards: [guard] };
      }
      const answered = await replyTo(channel, inbound, room.id);
      const event = await rooms.compose(
        room,
        { text, ...(answered === undefined ? {} : { replyTo: answered }) },
        person,
      );
      // In a group the platform knows best who is addressed: names there are not handles of this
      // house.
      const mentions = conversation.kind === "direct" ? event.mentions : [...called];
      return { id, event: { ...event, mentions }, guards: [] };
    },
  };
};
