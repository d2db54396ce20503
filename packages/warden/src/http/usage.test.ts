/** The usage of models through the API: the sums, and what a caller may see of them. */
import { expect, test } from "bun:test";
import type { AgentId, AgentRecord, HouseId, KeyScope, RoomId, UsageReport } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { Row } from "../kernel/store/tables/tables.ts";
import { createFakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();

const row = (more: Partial<Row<"model_usage">>): Row<"model_usage"> => ({
  ...{ day: "2026-11-22", agent: "", model: "far/m", room: "", kind: "turn", calls: 1, input_tokens: 10, at: 1 },
  ...{ output_tokens: 2, cache_read_tokens: 4, cache_write_tokens: 1, estimated_tokens: 0, estimated_money: 0 },
  ...{ money: 100, ...more },
});

/** Two houses with a bot each. The bot of the first house worked in an open room and in a direct one. */
const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const { records, rooms, permissions, keys } = house.options.people;
  const owner = { agent: house.owner.id };
  const annex = (await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner.agent)).id;
  const content = { name: "Butler", kind: "bot" };
  const place = { house: annex as HouseId };
  const butler = await records.mutate({ kind: "create", type: "agent", ...place, content }, owner.agent);
  const direct = (await rooms.direct(owner.agent, house.bot.id)).id;
  const bot = house.bot.id;
  const rows = [
    row({ agent: bot, room: house.room.id, day: "2026-11-20" }),
    row({ agent: bot, room: house.room.id, estimated_tokens: 17, estimated_money: 100, kind: "heartbeat" }),
    row({ agent: bot, room: direct, model: "near/m", money: 900, calls: 2 }),
    row({ agent: butler.id as AgentId, money: 5_000 }),
    row({ agent: "agent_gone" as AgentId, money: 30 }),
    row({ model: "far/ear", kind: "voice", money: 7 }),
    row({ agent: bot, room: house.room.id, day: "2026-10-01", money: 1 }),
  ];
  await house.store.commit({ writes: rows.map((row) => ({ kind: "put", table: "model_usage", row: row }) as const) });
  const read = async (query: string, key = house.key): Promise<UsageReport & { readonly error?: { code: string } }> => {
    const response = await house.call(`/api/usage?${query}`, { headers: { authorization: `Bearer ${key}` } });
    return (await response.json()) as never;
  };
  const keyFor = async (scope: KeyScope) => (await keys.create({ name: "k", ...owner, scope }, owner)).key;
  const guest = async (): Promise<string> => {
    const human = { name: "Bea", kind: "human" };
    const made = await records.mutate({ kind: "create", type: "agent", level: "none", content: human }, owner.agent);
    const agent = (made as AgentRecord).id;
    await permissions.grant({ agent, on: house.house, level: "r" }, owner);
    return (await keys.create({ name: "g", agent }, owner)).key;
  };
  return { house, read, keyFor, guest, direct: direct as RoomId, butler };
};

const shown = ({ groups }: UsageReport) => groups.map(({ of, name, total }) => [of, name, total.calls, total.money]);
const RANGE = "from=2026-11-01&to=2026-11-22";

test("the sums of each dimension have the same total, the most expensive group first", async () => {
  const { house, read, direct, butler } = await setUp();
  const total = { calls: 7, money: 6_137, inputTokens: 60, outputTokens: 12, cacheReadTokens: 24, cacheWriteTokens: 6 };
  for (const by of ["day", "agent", "model", "room", "kind"])
    expect((await read(`${RANGE}&by=${by}`)).total).toEqual({ ...total, estimated: { tokens: 17, money: 100 } });
  expect(shown(await read(`${RANGE}&by=agent`))).toEqual([
    [butler.id, "Butler", 1, 5_000],
    [house.bot.id, house.bot.content.name, 4, 1_100],
    ["agent_gone", undefined, 1, 30],
    [undefined, undefined, 1, 7],
  ]);
  expect(shown(await read(`${RANGE}&by=model`))).toEqual([
    ["far/m", undefined, 4, 5_230],
    ["near/m", undefined, 2, 900],
    ["far/ear", undefined, 1, 7],
  ]);
  expect(shown(await read(`${RANGE}&by=day`))).toEqual([
    ["2026-11-20", undefined, 1, 100],
    ["2026-11-22", undefined, 6, 6_037],
  ]);
  const [, , ofRoom] = (await read(`${RANGE}&by=room`)).groups;
  expect(ofRoom).toMatchObject({ of: house.room.id, days: [{ day: "2026-11-20" }, { day: "2026-11-22" }] });
  const ofBot = await read(`${RANGE}&by=kind&agent=${house.bot.handle}&room=${direct}`);
  expect([shown(ofBot), ofBot.total.money]).toEqual([[["turn", undefined, 2, 900]], 900]);
});

test("a person sees the agents of their houses, and rooms that they may not read as one group", async () => {
  const { house, read, keyFor, guest, direct } = await setUp();
  const key = await guest();
  expect(shown(await read(`${RANGE}&by=agent`, key))).toEqual([[house.bot.id, house.bot.content.name, 4, 1_100]]);
  expect(shown(await read(`${RANGE}&by=room`, key))).toEqual([
    [undefined, undefined, 2, 900],
    [house.room.id, house.room.content.name, 2, 200],
  ]);
  expect((await read(`${RANGE}&room=${direct}`, key)).error?.code).toBe("record.not-found");
  expect((await read(`${RANGE}`, await keyFor({ level: "r", on: [house.room.id] }))).groups).toEqual([]);
});

test("without days the report covers 30 days up to today, and an impossible range is refused", async () => {
  const { read } = await setUp();
  const { from, to } = await read("");
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  expect(await read("days=1&to=2026-11-22")).toMatchObject({ from: "2026-11-22", total: { calls: 6 } });
  for (const range of ["from=2026-11-23&to=2026-11-22", "from=2020-01-01&to=2026-11-22", "to=2026-99-99"])
    expect((await read(range)).error?.code).toBe("request.invalid");
});
