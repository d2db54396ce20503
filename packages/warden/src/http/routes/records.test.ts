import { expect, test } from "bun:test";
import { AgentRecord, HouseRecord, RoomRecord } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, type FakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const open = (): Promise<FakeHouse> => createFakeHouse(createFakeWorld({ hash }));
const ask = async (house: FakeHouse, method: string, path: string, body?: unknown, key = house.key) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await house.call(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

const types = [
  { plural: "houses", schema: HouseRecord, content: { name: "Second Home" }, handle: "second-home" },
  { plural: "rooms", schema: RoomRecord, content: { name: "Book Club" }, handle: "book-club" },
  { plural: "agents", schema: AgentRecord, content: { name: "Archive Bot", kind: "bot" }, handle: "archive-bot" },
] as const;

test.each(types)(
  "$plural are created, listed, shown by id and handle, and changed",
  async ({ plural, schema, content, handle }) => {
    const house = await open();
    const path = `/api/${plural}`;
    const made = await ask(house, "POST", path, { content });
    expect(made.status).toBe(201);
    const record = schema.parse(made.body);
    expect(record).toMatchObject({ handle, version: 1, content });
    const { body: list } = await ask(house, "GET", path);
    expect(list.at(-1)).toEqual(made.body);
    for (const name of [record.id, handle])
      expect((await ask(house, "GET", `${path}/${name}`)).body).toEqual(made.body);
    const patched = await ask(house, "PATCH", `${path}/${handle}`, { version: 1, content: { description: "quiet" } });
    expect(patched.body).toMatchObject({ version: 2, content: { ...content, description: "quiet" } });
    const stale = await ask(house, "PATCH", `${path}/${record.id}`, { version: 1, content: { description: "loud" } });
    expect([stale.status, stale.body.error.code]).toEqual([409, "record.version"]);
    const cleared = await ask(house, "PATCH", `${path}/${record.id}`, { content: { description: null } });
    expect(cleared.body.content).not.toHaveProperty("description");
  },
);

test("a removed record is returned once and then not found", async () => {
  const house = await open();
  expect((await ask(house, "DELETE", "/api/rooms/hall")).body).toEqual(JSON.parse(JSON.stringify(house.room)));
  const gone = await ask(house, "GET", `/api/rooms/${house.room.id}`);
  expect([gone.status, gone.body.error.code]).toEqual([404, "record.not-found"]);
});

test("a new room belongs to the caller's house unless another is named", async () => {
  const house = await open();
  const other = (await ask(house, "POST", "/api/houses", { content: { name: "Other" } })).body;
  expect((await ask(house, "POST", "/api/rooms", { content: { name: "Here" } })).body.house).toBe(house.house);
  expect((await ask(house, "POST", "/api/rooms", { house: other.id, content: { name: "There" } })).body.house).toBe(
    other.id,
  );
  const there = (await ask(house, "GET", `/api/rooms?house=${other.id}`)).body;
  expect(there.map((room: RoomRecord) => room.handle)).toEqual(["there"]);
});

test("the author of a change is in the house's log", async () => {
  const house = await open();
  await ask(house, "PATCH", "/api/agents/main", { content: { description: "the first" } });
  const { events } = (await ask(house, "GET", "/api/houses/home/log")).body;
  expect(events.at(-1)).toMatchObject({ type: "record-changed", by: house.owner.id, change: "updated" });
});

test("a bot sees its own house, open rooms, and rooms it is in", async () => {
  const house = await open();
  const other = (await ask(house, "POST", "/api/houses", { content: { name: "Other" } })).body;
  await ask(house, "POST", "/api/rooms", { house: other.id, content: { name: "Elsewhere" } });
  const closed = (await ask(house, "POST", "/api/rooms", { content: { name: "Closed", members: [house.owner.id] } }))
    .body;
  await ask(house, "POST", "/api/rooms", { content: { name: "Ours", members: [house.owner.id, house.bot.id] } });
  const handles = async (path: string): Promise<string[]> =>
    (await ask(house, "GET", path, undefined, house.botKey)).body.map((record: RoomRecord) => record.handle);
  expect(await handles("/api/rooms")).toEqual(["hall", "ours"]);
  expect(await handles("/api/houses")).toEqual(["home"]);
  expect((await ask(house, "GET", `/api/rooms/${closed.id}`, undefined, house.botKey)).status).toBe(404);
  expect((await ask(house, "GET", "/api/rooms")).body).toHaveLength(4);
});

test("an agent that is created without a model gets the default model, and no other record does", async () => {
  const house = await open();
  await house.options.kernel.config.edit((text) => `${text}\n[defaults]\nmodel = "den/small"\n`);
  const made = async (content: object) => (await ask(house, "POST", "/api/agents", { content })).body.content.model;
  expect(await made({ name: "Clerk", kind: "bot" })).toBe("den/small");
  expect(await made({ name: "Cook", kind: "bot", model: "offline/basic" })).toBe("offline/basic");
  expect(await made({ name: "Lamp", kind: "bot", runs: "elsewhere" })).toBeUndefined();
  expect(await made({ name: "Bea", kind: "human" })).toBeUndefined();
});
