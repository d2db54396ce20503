/**
 * Maps conversations to rooms. A direct conversation is the direct room of its person and the
 * channel's agent. A group has its own room, created in one commit with its row, so that a crash
 * leaves both or neither.
 */
import { plainName, type Records, type Rooms } from "../../people/index.ts";
import type { Store, Write } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  isHearthError,
  type RoomId,
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { InboundUpdate } from "../channel.ts";

export interface ConversationRoomsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly records: Records;
  readonly rooms: Rooms;
}

export interface ConversationRooms {
  /** Returns the room, with this person as a member, and the writes to commit with the message. */
  find(
    channel: string,
    conversation: InboundUpdate["conversation"],
    person: AgentId,
    agent: AgentRecord,
  ): Promise<{ readonly room: RoomRecord; readonly writes: readonly Write[] }>;
}

export const createConversationRooms = (options: ConversationRoomsOptions): ConversationRooms => {
  const { world, store, records, rooms } = options;

  const rowFor = (channel: string, { id, kind, name }: InboundUpdate["conversation"], room: RoomId): Write => ({
    kind: "put",
    table: "conversations",
    row: {
      channel,
      conversation: id,
      kind,
      name: name.toWellFormed(),
      room,
      created_at: world.clock.now(),
    },
  });

  const makeGroup = async (
    channel: string,
    conversation: InboundUpdate["conversation"],
    person: AgentId,
    agent: AgentRecord,
  ): Promise<RoomRecord> => {
    const roomName = plainName(conversation.name, `${channel} group`);
    for (const name of [
      roomName,
      `${roomName} (${channel})`,
      `${roomName} ${world.ids.derive("room", channel, conversation.id)}`,
    ]) {
      try {
        const room = await records.mutate(
          {
            kind: "create",
            type: "room",
            house: agent.house,
            level: "none",
            content: { name, kind: "group", members: [person, agent.id] },
            sameCommit: (record) => ({ writes: [rowFor(channel, conversation, record.id as RoomId)] }),
          },
          person,
        );
        return room as RoomRecord;
      } catch (error) {
        if (!isHearthError(error, "record.handle-taken")) throw error;
      }
    }
    throw new Error(`no free room name for the conversation ${conversation.id} of ${channel}`);
  };

  /** A person who writes in the group reads it too, so they become a member of the room. */
  const withMember = async (room: RoomRecord, person: AgentId): Promise<RoomRecord> => {
    const { members } = room.content;
    if (members === undefined || members.includes(person)) return room;
    const content = { members: [...members, person] };
    return (await records.mutate(
      { kind: "update", id: room.id, content, version: room.version },
      person,
    )) as RoomRecord;
  };

  return {
    async find(channel, conversation, person, agent) {
      const [row] = await store.select({ table: "conversations", where: { channel, conversation: conversation.id } });
      if (conversation.kind === "direct") {
        const room = await rooms.direct(person, agent.id);
        return { room, writes: row?.room === room.id ? [] : [rowFor(channel, conversation, room.id)] };
      }
      // A removed room is created again when a person writes in the group.
      const existingRoom = row === undefined ? undefined : await records.find("room", row.room);
      const room = existingRoom ?? (await makeGroup(channel, conversation, person, agent));
      return { room: await withMember(room, person), writes: [] };
    },
  };
};
