import { expect, test } from "bun:test";
import { type AgentId, type HouseId, type Place, rights } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const { records } = house.options.people;
  const owner = { agent: house.owner.id };
  const annex = (await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner.agent))
    .id as HouseId;
  const { id } = await records.mutate(
    { kind: "create", type: "agent", level: "none", content: { name: "Ada", kind: "human" } },
    owner.agent,
  );
  const ada = id as AgentId;
  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const response = await house.call(path, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as { readonly error?: { readonly code: string } };
    return { status: response.status, code: json.error?.code, json };
  };
  const give = (on: Place, body: unknown, headers?: Record<string, string>) =>
    ask("PUT", `/api/${on.startsWith("house_") ? "houses" : "rooms"}/${on}/grants/${ada}`, body, headers);
  return { house, home: house.house, annex, owner, ada, ask, give, asAda: await house.logIn(ada) };
};

test("a grant with rights is given, shown in the list and to its person, and its rights stay without new ones", async () => {
  const { home, ada, ask, give, asAda } = await setUp();
  expect(await give(home, { level: "w", rights: ["audit", "providers"] })).toMatchObject({
    status: 200,
    json: { agent: ada, level: "w", rights: ["providers", "audit"] },
  });
  expect((await give(home, { level: "r" })).json).toMatchObject({ level: "r", rights: ["providers", "audit"] });
  expect((await ask("GET", `/api/grants?agent=${ada}`)).json).toMatchObject([{ rights: ["providers", "audit"] }]);
  expect((await ask("GET", "/api/me", undefined, asAda)).json).toMatchObject({
    permissions: expect.arrayContaining([{ on: home, level: "r", rights: ["providers", "audit"] }]),
  });
  expect((await give(home, { level: "r", rights: [] })).json).not.toHaveProperty("rights");
});

test("unknown rights, and the right providers on another house, are refused", async () => {
  const { home, annex, ask, give } = await setUp();
  expect(await give(home, { level: "r", rights: ["everything"] })).toMatchObject({ code: "request.invalid" });
  expect(await give(annex, { level: "r", rights: ["providers"] })).toMatchObject({ code: "request.invalid" });
  expect((await give(annex, { level: "r", rights: ["secrets", "audit", "approve"] })).status).toBe(200);
  const invite = (to: Place) => ask("POST", `/api/houses/${to}/invites`, { level: "r", rights: ["providers"] });
  expect([(await invite(annex)).code, (await invite(home)).status]).toEqual(["request.invalid", 201]);
});

test("A5: a person with every right gives no right, and makes no credential of another person", async () => {
  const { home, annex, owner, house, ada, ask, give, asAda } = await setUp();
  await give(home, { level: "w", rights: [...rights] });
  for (const body of [{ level: "x" }, { level: "w", rights: [...rights] }, { level: "r", rights: ["audit"] }])
    expect(await give(home, body, asAda)).toMatchObject({ status: 403, code: "auth.denied" });
  expect(await ask("POST", "/api/keys", { name: "k", agent: owner.agent }, asAda)).toMatchObject({ status: 403 });
  expect(await ask("POST", "/api/login-links", {}, asAda)).toMatchObject({ status: 403 });
  // An admin of Ada's house lacks her right in another house, so the admin makes no key of hers.
  const { records, permissions } = house.options.people;
  const { id } = await records.mutate(
    { kind: "create", type: "agent", level: "x", content: { name: "Ben", kind: "human" } },
    owner.agent,
  );
  const ben = id as AgentId;
  await permissions.grant({ agent: ben, on: annex, level: "r" }, owner);
  const asBen = await house.logIn(ben);
  const make = () => ask("POST", "/api/keys", { name: "k", agent: ada }, asBen);
  await give(annex, { level: "r" });
  expect((await make()).status).toBe(201);
  await give(annex, { level: "r", rights: ["audit"] });
  expect(await make()).toMatchObject({ status: 403, code: "grant.exceeds" });
});
