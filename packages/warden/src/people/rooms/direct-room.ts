/** Finds the default direct room of two agents, or creates it. */
import { type AgentId, type HearthRecord, isHearthError, type RoomRecord, type World } from "@hearth/protocol";
import { directNames } from "../records/plain-name.ts";
import type { Records } from "../records/records.ts";

export interface DirectRoomOptions {
  readonly world: Pick<World, "ids">;
  readonly records: Pick<Records, "list" | "get" | "mutate">;
}

export const findOrCreateDirectRoom = async (
  { world, records }: DirectRoomOptions,
  creator: AgentId,
  partner: AgentId,
): Promise<RoomRecord> => {
  const existingRoom = await findDirectRoom(records, creator, partner);
  if (existingRoom !== undefined) return existingRoom;
  const [creatorRecord, partnerRecord] = await Promise.all([
    records.get("agent", creator),
    records.get("agent", partner),
  ]);
  const bot = creatorRecord.content.kind === "bot" ? creatorRecord : partnerRecord;
  const person = bot === creatorRecord ? partnerRecord : creatorRecord;
  const create = (name: string): Promise<HearthRecord> =>
    records.mutate(
      {
        kind: "create",
        type: "room",
        house: bot.house,
        level: "none",
        content: { name, kind: "direct", members: [person.id, bot.id] },
      },
      creator,
    );
  const names = directNames(bot.content, person.content);
  for (const name of names) {
    try {
      return (await create(name)) as RoomRecord;
    } catch (error) {
      if (!isHearthError(error, "record.handle-taken")) throw error;
      // The name is taken by another kind of room, or by this room, created concurrently.
      const concurrentRoom = await findDirectRoom(records, creator, partner);
      if (concurrentRoom !== undefined) return concurrentRoom;
    }
  }
  return (await create(`${names[0]} ${world.ids.fresh("room")}`)) as RoomRecord;
};

const findDirectRoom = async (
  records: Pick<Records, "list" | "get" | "mutate">,
  creator: AgentId,
  partner: AgentId,
): Promise<RoomRecord | undefined> =>
  (await records.list("room")).find(
    ({ content }) =>
      content.kind === "direct" && content.members?.includes(creator) === true && content.members.includes(partner),
  );
