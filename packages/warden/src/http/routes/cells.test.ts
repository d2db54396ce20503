import { expect, test } from "bun:test";
import { type AgentRecord, type CellInfo, DEFAULT_CELL_LIMITS, type HouseId, type RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import type { HttpOptions } from "../http.ts";

const { hash } = createBunWorld();

/** A house with fake cells, and the calls they received. */
const setUp = async () => {
  const open: CellInfo[] = [];
  const told: unknown[] = [];
  const infoFor = ({ id: agent }: Pick<AgentRecord, "id">, audience = "private"): CellInfo => ({
    ...{ agent, audience, backend: "process", isolation: "process", walls: [], limits: DEFAULT_CELL_LIMITS },
    ...{ pid: 7, openedAt: 1, activations: [] },
  });
  const pool: HttpOptions["cells"]["pool"] = {
    list: () => open,
    async open(agent, audience) {
      told.push(["open", agent.handle, audience]);
      return infoFor(agent);
    },
    async evict(agent, audience) {
      told.push(["close", agent, audience]);
      return 2;
    },
  };
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world, { cells: { pool } });
  const ask = async (method: string, path: string, as: string, body?: unknown) => {
    const response = await house.call(path, {
      method,
      headers: { authorization: `Bearer ${as}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  };
  const content = { name: "Ada", kind: "human" };
  const person = (await ask("POST", "/api/agents", house.key, { level: "none", content })).json as AgentRecord;
  const { key } = await house.options.people.keys.create(
    { name: "ada's", agent: person.id },
    { agent: house.owner.id },
  );
  return { house, open, told, infoFor, ask, key };
};

test("cells are listed to people who may read the agent's house", async () => {
  const { house, open, infoFor, ask, key } = await setUp();
  open.push(infoFor(house.bot), infoFor(house.bot, `room:${house.room.id}`));
  expect((await ask("GET", "/api/cells", house.key)).json).toEqual(open);
  expect((await ask("GET", "/api/cells", key)).json).toEqual([]);
  expect((await ask("GET", "/api/cells", house.botKey)).json).toEqual([]);
});

test("a reader of the agent's house sees only cells and activations of rooms that they may read", async () => {
  const { house, open, infoFor, ask, key } = await setUp();
  const { records, permissions, rooms } = house.options.people;
  const make = (type: "house" | "room", content: unknown, at = house.house) =>
    records.mutate({ kind: "create", type, house: at, content }, house.owner.id);
  const annex = (await make("house", { name: "Annex" })).id as HouseId;
  const study = await make("room", { name: "Study", members: [house.owner.id, house.bot.id] }, annex);
  const said = await rooms.post(study.id as RoomId, { text: "hi" }, house.owner.id);
  const heard = await rooms.post(house.room.id, { text: "hi" }, house.owner.id);
  const [secret, visible] = [house.wake(said).id, house.wake(heard).id];
  open.push({ ...infoFor(house.bot), activations: [secret, visible] }, infoFor(house.bot, `room:${study.id}`));
  expect((await ask("GET", "/api/cells", house.key)).json).toEqual(open);
  const ada = (await records.list("agent")).find(({ handle }) => handle === "ada");
  if (ada === undefined) throw new Error("no Ada");
  await permissions.grant({ agent: ada.id, on: house.house, level: "r" }, { agent: house.owner.id });
  expect((await ask("GET", "/api/cells", key)).json).toEqual([{ ...infoFor(house.bot), activations: [visible] }]);
  // An administrator may close each cell of the agent, and therefore sees it.
  await permissions.grant({ agent: ada.id, on: house.house, level: "x" }, { agent: house.owner.id });
  expect((await ask("GET", "/api/cells", key)).json).toEqual([
    { ...infoFor(house.bot), activations: [visible] },
    infoFor(house.bot, `room:${study.id}`),
  ]);
});

test("a cell of a deleted agent is not visible", async () => {
  const { house, open, infoFor, ask } = await setUp();
  open.push({ ...infoFor(house.bot), agent: house.room.id.replace("room", "agent") as AgentRecord["id"] });
  expect((await ask("GET", "/api/cells", house.key)).json).toEqual([]);
});

test("an administrator of the agent's house opens a cell for a room and closes it for an audience", async () => {
  const { house, told, infoFor, ask, key } = await setUp();
  const path = "/api/agents/main/cells";
  expect(await ask("POST", path, house.key, { room: "hall" })).toEqual({ status: 200, json: infoFor(house.bot) });
  expect(await ask("DELETE", `${path}?audience=private`, house.key)).toEqual({ status: 200, json: { closed: 2 } });
  expect((await ask("DELETE", path, house.key)).json).toEqual({ closed: 2 });
  expect(told).toEqual([
    ["open", "main", `room:${house.room.id}`],
    ["close", house.bot.id, "private"],
    ["close", house.bot.id, undefined],
  ]);
  expect((await ask("DELETE", `${path}?audience=everybody`, house.key)).json.error.code).toBe("request.invalid");
  expect((await ask("POST", path, house.key, { room: "attic" })).json.error.code).toBe("record.not-found");
  expect((await ask("POST", "/api/agents/owner/cells", house.key, { room: "hall" })).json.error.code).toBe(
    "request.invalid",
  );
  for (const [method, body] of [
    ["POST", { room: "hall" }],
    ["DELETE", undefined],
  ] as const)
    expect((await ask(method, path, key, body)).status).toBeGreaterThan(399);
  expect(told).toHaveLength(3);
});
