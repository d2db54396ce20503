/** Rooms over records and streams: who may speak, whom a text mentions, and the one event that a message becomes. */
import {
  type AgentId,
  HearthError,
  type HearthRecord,
  isHearthError,
  type MessageEvent,
  parseMentions,
  type RoomRecord,
  type Stored,
  type World,
} from "@hearth/protocol";
import type { Records } from "../identity/records.ts";
import type { DurableStreams } from "../streams/streams.ts";
import type { NewMessage, Rooms } from "./rooms.ts";

export interface RoomsOptions {
  readonly world: World;
  readonly records: Records;
  readonly streams: DurableStreams;
}

export const createRooms = ({ world, records, streams }: RoomsOptions): Rooms => {
  const mentionsIn = async (text: string, room: RoomRecord): Promise<AgentId[]> => {
    const handles = text.includes("@") ? parseMentions(text) : [];
    if (handles.length === 0) return [];
    const agents = await records.list("agent", room.house);
    return agents.filter((agent) => handles.includes(agent.handle)).map((agent) => agent.id);
  };

  const compose = async (room: RoomRecord, { text, replyTo }: NewMessage, author: AgentId): Promise<MessageEvent> => ({
    type: "message",
    room: room.id,
    author,
    at: world.clock.now(),
    body: { format: "markdown", text },
    mentions: await mentionsIn(text, room),
    causes: [],
    ...(replyTo === undefined ? {} : { replyTo }),
  });

  const shared = async (one: AgentId, other: AgentId): Promise<RoomRecord | undefined> =>
    (await records.list("room")).find(
      ({ content }) =>
        content.kind === "direct" && content.members?.includes(one) === true && content.members.includes(other),
    );

  return {
    compose,

    async post(id, message, author) {
      const room = await records.get("room", id);
      const { members } = room.content;
      if (members !== undefined && !members.includes(author)) {
        throw new HearthError("auth.denied", `You are not in the room "${room.content.name}".`, {
          hint: `Ask someone there to add you: hearth room edit ${room.handle} --members …`,
        });
      }
      const { idempotencyKey } = message;
      const event = await compose(room, message, author);
      const eventId =
        idempotencyKey === undefined ? world.ids.fresh("evt") : world.ids.derive("evt", id, author, idempotencyKey);
      const result = await streams.append({ stream: `room:${id}`, id: eventId, event });
      switch (result.kind) {
        case "appended":
          return { ...event, id: eventId, offset: result.offset };
        case "duplicate": {
          const first = await streams.find(`room:${id}`, eventId);
          return first as Stored<MessageEvent>;
        }
        case "conflict":
          // Only an append with `expected` can conflict.
          throw new Error(`an unconditional append to ${id} conflicted`);
      }
    },

    async direct(one, other) {
      const known = await shared(one, other);
      if (known !== undefined) return known;
      const [first, second] = await Promise.all([records.get("agent", one), records.get("agent", other)]);
      const bot = first.content.kind === "bot" ? first : second;
      const person = bot === first ? second : first;
      const make = (name: string): Promise<HearthRecord> =>
        records.mutate(
          {
            kind: "create",
            type: "room",
            house: bot.house,
            content: { name, kind: "direct", members: [person.id, bot.id] },
          },
          one,
        );
      for (const name of [bot.content.name, `${bot.content.name} and ${person.content.name}`]) {
        try {
          return (await make(name)) as RoomRecord;
        } catch (error) {
          if (!isHearthError(error, "record.handle-taken")) throw error;
          // By a room of another kind, or by this very room, made by someone else a moment ago.
          const made = await shared(one, other);
          if (made !== undefined) return made;
        }
      }
      return (await make(`${bot.content.name} ${world.ids.fresh("room")}`)) as RoomRecord;
    },
  };
};
