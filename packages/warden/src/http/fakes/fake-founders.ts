/** The first records of a fake house: its owner, a bot, a room, and their levels. */
import type { AgentRecord, HouseId, RoomRecord, World } from "@hearth/protocol";
import { firstGrants } from "../../people/records/found-house.ts";
import { toRow } from "../../people/records/record-rows.ts";
import type { Store } from "../../kernel/store/store.ts";

export interface FakeFounders {
  readonly house: HouseId;
  readonly owner: AgentRecord;
  readonly bot: AgentRecord;
  readonly room: RoomRecord;
}

export const foundFakeHouse = async (
  { ids }: Pick<World, "ids">,
  store: Pick<Store, "commit">,
): Promise<FakeFounders> => {
  const house = ids.fresh("house");
  const baseFields = { house, version: 1, createdAt: 0, updatedAt: 0 };
  const createAgent = (handle: string, content: AgentRecord["content"]): AgentRecord => ({
    ...baseFields,
    type: "agent",
    id: ids.fresh("agent"),
    handle,
    content,
  });
  const houseRecord = {
    ...baseFields,
    type: "house",
    id: house,
    handle: "home",
    content: { name: "Home", timezone: "UTC" },
  } as const;
  const owner = createAgent("owner", { name: "Owner", kind: "human" });
  const bot = createAgent("main", { name: "Main", kind: "bot" });
  const room: RoomRecord = {
    ...baseFields,
    type: "room",
    id: ids.fresh("room"),
    handle: "hall",
    content: { name: "Hall", kind: "group" },
  };
  await store.commit({
    writes: [
      ...[houseRecord, owner, bot, room].map(
        (record) => ({ kind: "insert", table: "records", row: toRow(record) }) as const,
      ),
      ...firstGrants({ house, owner: owner.id, bot: bot.id, at: 0 }),
    ],
  });
  return { house, owner, bot, room };
};
