import { expect, test } from "bun:test";
import type { AgentRecord, CreateKey, KeyScope } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { keys, records, permissions } = house.options.people;
  const add = async (name: string): Promise<AgentRecord> => {
    const made = await records.mutate(
      { kind: "create", type: "agent", content: { name, kind: "human" } },
      house.owner.id,
    );
    if (made.type !== "agent") throw new Error("no agent");
    return made;
  };
  const ana = await add("Ana");
  const keyOf = async (agent: AgentRecord, more: { scope?: KeyScope; expiresAt?: number } = {}) =>
    (await keys.create({ name: "k", agent: agent.id, ...more }, { agent: agent.id })).key;
  const ask = async (method: string, path: string, by: string | Record<string, string>, body?: unknown) => {
    const response = await house.call(path, {
      ...{ method, headers: typeof by === "string" ? { authorization: `Bearer ${by}` } : by },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await response.json();
    return { status: response.status, code: json.error?.code, json };
  };
  const make = (by: string | Record<string, string>, body: Partial<CreateKey>) =>
    ask("POST", "/api/keys", by, { name: "new", ...body });
  const listed = async (key: string): Promise<string[]> =>
    (await ask("GET", "/api/keys", key)).json.map(({ id }: { id: string }) => id);
  return { world, house, keys, records, permissions, ana, keyOf, ask, make, listed };
};

test("a key is created with its limits, shown once, and listed with them", async () => {
  const { world, house, make, ask } = await setUp();
  const scope: KeyScope = { level: "r", on: [house.room.id] };
  const expiresAt = world.clock.now() + 1000;
  const { status, json } = await make(await house.logIn(), { name: "reader", agent: house.bot.id, scope, expiresAt });
  expect([status, json]).toEqual([
    201,
    {
      key: expect.stringMatching(/^hearth_/),
      id: expect.any(String),
      name: "reader",
      agent: house.bot.id,
      scope,
      expiresAt,
    },
  ]);
  const list = (await ask("GET", "/api/keys", house.key)).json;
  expect(list.at(-1)).toEqual({
    id: json.id,
    name: "reader",
    agent: house.bot.id,
    scope,
    createdAt: world.clock.now(),
    expiresAt,
  });
  expect(JSON.stringify(list)).not.toContain(json.key);
});

test("every person creates keys for themselves; for others only an administrator of their house with all of their rights", async () => {
  const { house, ana, records, permissions, make } = await setUp();
  const anas = await house.logIn(ana.id);
  const owners = await house.logIn();
  expect(await make(anas, {})).toMatchObject({ status: 201, json: { agent: ana.id } });
  expect(await make(anas, { agent: house.bot.id })).toMatchObject({ status: 403, code: "auth.denied" });
  expect(await make(anas, { agent: house.owner.id })).toMatchObject({ status: 403, code: "auth.denied" });
  expect(await make(owners, { agent: ana.id })).toMatchObject({ status: 201 });
  expect(await make(owners, { agent: "agent_00000000000000000000009999" as never })).toMatchObject({ status: 404 });

  await permissions.grant({ agent: ana.id, on: house.house, level: "x" }, { agent: house.owner.id });
  expect(await make(anas, { agent: house.bot.id })).toMatchObject({ status: 201 });
  await records.mutate({ kind: "create", type: "house", content: { name: "Elsewhere" } }, house.owner.id);
  expect(await make(anas, { agent: house.owner.id })).toMatchObject({ status: 403, code: "grant.exceeds" });
});

test("A74: a key creates no key, and an old session none until its person confirms it", async () => {
  const { house, keyOf, ask, make } = await setUp();
  const before = (await house.options.people.keys.list()).length;
  for (const key of [house.key, house.botKey, await keyOf(house.owner, { scope: { level: "r" } })])
    expect(await make(key, {})).toMatchObject({ status: 403, code: "auth.denied" });
  const old = await house.logIn(undefined, { isOld: true });
  expect(await make(old, {})).toMatchObject({ status: 403, code: "auth.stale" });
  expect(await house.options.people.keys.list()).toHaveLength(before + 1);
  await house.options.people.passwords.set(house.owner.id, PASSWORD);
  const again = await house.logIn(undefined, { isOld: true });
  expect(await ask("POST", "/api/sessions/confirm", again, { password: PASSWORD })).toMatchObject({ status: 200 });
  expect(await make(again, {})).toMatchObject({ status: 201 });
});

test("one sees and revokes one's own keys; an administrator of a house, those of its agents", async () => {
  const { house, keys, ana, keyOf, ask, listed } = await setUp();
  const anas = await keyOf(ana);
  const all = (await keys.list()).map(({ id, agent }) => ({ id, agent }));
  const idOf = (agent: AgentRecord): string => all.find((key) => key.agent === agent.id)?.id ?? "";
  expect(await listed(anas)).toEqual([idOf(ana)]);
  expect(await listed(house.botKey)).toEqual([idOf(house.bot)]);
  expect(await listed(house.key)).toEqual(all.map(({ id }) => id));
  for (const other of [house.owner, house.bot])
    expect(await ask("DELETE", `/api/keys/${idOf(other)}`, anas)).toMatchObject({
      status: 404,
      code: "record.not-found",
    });
  expect(await ask("DELETE", `/api/keys/${idOf(house.bot)}`, house.key)).toMatchObject({
    status: 200,
    json: { revokedAt: expect.any(Number) },
  });
  expect(await ask("DELETE", `/api/keys/${idOf(ana)}`, anas)).toMatchObject({ status: 200 });
  expect(await ask("GET", "/api/keys", anas)).toMatchObject({ status: 401, code: "auth.invalid" });
});

test("a limited key sees and revokes only itself", async () => {
  const { house, keys, keyOf, ask, listed } = await setUp();
  const limited = await keyOf(house.owner, { scope: { level: "w" } });
  const mine = (await keys.list()).at(-1)?.id ?? "";
  expect(await listed(limited)).toEqual([mine]);
  const other = (await keys.list())[0]?.id ?? "";
  expect(await ask("DELETE", `/api/keys/${other}`, limited)).toMatchObject({ status: 404 });
  expect(await ask("DELETE", `/api/keys/${mine}`, limited)).toMatchObject({ status: 200 });
});

test("keys of a deleted agent are managed by the home's administrators", async () => {
  const { house, records, ana, keyOf, listed, ask } = await setUp();
  await keyOf(ana);
  const before = await listed(house.key);
  await records.mutate({ kind: "remove", id: ana.id }, house.owner.id);
  expect(await listed(house.key)).toEqual(before);
  expect(await listed(house.botKey)).toHaveLength(1);
  expect(await ask("DELETE", `/api/keys/${before.at(-1)}`, house.key)).toMatchObject({ status: 200 });
});
