/** The first start: creates a house, its owner, a bot and their direct room in one commit. */
import type { Store, Write, DurableStreams } from "../../kernel/index.ts";
import type { AgentId, HearthRecord, HouseId, Level, World } from "@hearth/protocol";
import { toRow } from "./record-rows.ts";

/** Returns the first house of this home. Founds it on the first start. */
export const foundHouse = async (options: {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  /** IANA time zone of the machine. */
  readonly timezone: () => string;
}): Promise<HouseId> => {
  const { world, store, streams } = options;
  const findFirstHouse = async (): Promise<HouseId | undefined> => {
    const [row] = await store.select({
      table: "records",
      where: { type: "house" },
      order: [{ column: "created_at" }],
      limit: 1,
    });
    return row?.house;
  };
  const existingHouse = await findFirstHouse();
  if (existingHouse !== undefined) return existingHouse;

  const now = world.clock.now();
  const house = world.ids.fresh("house");
  const owner = world.ids.fresh("agent");
  const bot = world.ids.fresh("agent");
  const base = { house, version: 1, createdAt: now, updatedAt: now };
  const records: readonly HearthRecord[] = [
    { ...base, type: "house", id: house, handle: "home", content: { name: "home", timezone: options.timezone() } },
    { ...base, type: "agent", id: owner, handle: "owner", content: { name: "Owner", kind: "human" } },
    { ...base, type: "agent", id: bot, handle: "main", content: { name: "Main", kind: "bot" } },
    {
      ...base,
      type: "room",
      id: world.ids.fresh("room"),
      handle: "main",
      content: { name: "Main", kind: "direct", members: [owner, bot] },
    },
  ];
  await streams.commit({
    guards: [{ kind: "absent", table: "records", where: { type: "house" } }],
    writes: [
      ...records.map((record) => ({ kind: "insert", table: "records", row: toRow(record) }) as const),
      ...firstGrants({ house, owner, bot, at: now }),
    ],
    events: records.map((record) => ({
      stream: `house:${house}`,
      id: world.ids.fresh("evt"),
      event: { type: "record-changed", at: now, by: owner, change: "created", record },
    })),
  });
  return (await findFirstHouse()) ?? house;
};

/** Returns the grants of a new house: the owner decides, and the bot may write. */
export const firstGrants = (options: {
  readonly house: HouseId;
  readonly owner: AgentId;
  readonly bot: AgentId;
  readonly at: number;
}): readonly Write[] => {
  const { house, owner, bot, at } = options;
  const grant = (agent: AgentId, level: Level): Write => ({
    kind: "insert",
    table: "grants",
    row: { agent, target: house, house, level, by: owner, at, rights: null },
  });
  return [grant(owner, "x"), grant(bot, "w")];
};
