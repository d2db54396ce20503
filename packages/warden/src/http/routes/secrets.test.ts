import { describe, expect, test } from "bun:test";
import type { AgentId, SecretGrant, SecretInfo } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const VALUE = "a value to look for";

const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  let told = "";
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await house.call(`/api/houses/home/secrets${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    told += text;
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  };
  const terms = { agent: house.bot.id, host: "api.example.org", as: "bearer" };
  return { house, ask, terms, told: () => told + house.lines.join("") };
};

test("a secret is set, listed, rotated, granted, revoked and removed, and its value is in no answer or log line", async () => {
  const { house, ask, terms, told } = await setUp();
  const { status, json: made } = await ask("POST", "", { name: "ONE", value: VALUE });
  expect([status, made]).toEqual([
    201,
    { name: "ONE", version: 1, createdAt: made.createdAt, setAt: made.setAt, grants: [] },
  ]);
  const { json: granted }: { json: SecretGrant } = await ask("POST", "/ONE/grants", terms);
  expect(granted).toMatchObject({ ...terms, by: house.owner.id });
  expect((await ask("POST", "/ONE/rotate", { value: `${VALUE}!` })).json).toMatchObject({
    version: 2,
    grants: [granted],
  });
  const { json: list }: { json: SecretInfo[] } = await ask("GET", "");
  expect(list).toMatchObject([{ name: "ONE", version: 2, grants: [granted] }]);
  expect(await house.options.secrets.vault.read(house.house, "ONE")).toBe(`${VALUE}!`);
  expect((await ask("DELETE", `/ONE/grants/${granted.id}`)).status).toBe(204);
  expect((await ask("GET", "")).json[0].grants).toEqual([]);
  expect((await ask("DELETE", "/ONE")).status).toBe(204);
  expect((await ask("GET", "")).json).toEqual([]);
  expect(told()).not.toContain(VALUE);
});

test("an invalid secret or grant is refused with a reason, without the value", async () => {
  const { house, ask, terms, told } = await setUp();
  await ask("POST", "", { name: "ONE", value: VALUE });
  const refused = async (method: string, path: string, body: unknown) => {
    const { status, json } = await ask(method, path, body);
    return [status, json.error.code];
  };
  const invalid = [400, "request.invalid"];
  expect(await refused("POST", "", { name: "ONE", value: VALUE })).toEqual([409, "secret.taken"]);
  expect(await refused("POST", "", { name: "TWO", value: "7 bytes" })).toEqual([400, "secret.invalid"]);
  expect(await refused("POST", "", { name: "TWO", value: VALUE.repeat(4000) })).toEqual([400, "secret.invalid"]);
  expect(await refused("POST", "", { name: "T WO", value: VALUE })).toEqual(invalid);
  expect(await refused("POST", "", { name: "TWO", value: 7 })).toEqual(invalid);
  expect(await refused("POST", "", { name: "TWO", value: VALUE, more: VALUE })).toEqual(invalid);
  expect(await refused("POST", "/TWO/rotate", { value: VALUE })).toEqual([404, "secret.not-found"]);
  expect(await refused("DELETE", "/TWO", undefined)).toEqual([404, "secret.not-found"]);
  expect(await refused("DELETE", "/ONE/grants/none", undefined)).toEqual([404, "secret.not-found"]);
  expect(await refused("POST", "/ONE/grants", { ...terms, agent: `agent_${"0".repeat(26)}` })).toEqual([
    400,
    "secret.invalid",
  ]);
  for (const wrong of [
    { host: "*" },
    { host: "*.com" },
    { host: "localhost" },
    { as: "cookie" },
    { as: "basic:a:b" },
    { as: "header:Host" },
    { as: "header:Content-Length" },
    { as: "header:X Key" },
    { as: "header:X\r\nY" },
    { methods: [] },
    { methods: ["CONNECT"] },
    { port: 0 },
    { plain: false },
  ])
    expect([wrong, await refused("POST", "/ONE/grants", { ...terms, ...wrong })]).toEqual([wrong, invalid]);
  expect((await house.options.secrets.vault.list(house.house))[0]?.grants).toEqual([]);
  expect(told()).not.toContain(VALUE);
});

test("administrators of the home see and rotate the key of the vault", async () => {
  const { house } = await setUp();
  const call = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await house.call(path, init);
    return [response.status, await response.json()];
  };
  expect(await call("/api/vault")).toEqual([200, { state: "empty" }]);
  expect(await call("/api/vault/key", { source: "passphrase", passphrase: "correct horse battery" })).toEqual([
    200,
    { state: "open", source: "passphrase" },
  ]);
  expect((await call("/api/vault/key", { source: "passphrase" }))[0]).toBe(400);
  expect((await call("/api/vault/key", { source: "cloud" }))[0]).toBe(400);
});

test("a reader of a house without `x` does not learn of its secrets, not even in its log", async () => {
  const { house } = await setUp();
  const { streams } = house.options.kernel;
  const { permissions, keys, records } = house.options.people;
  const { id } = await records.mutate(
    { kind: "create", type: "agent", level: "none", content: { name: "Ada", kind: "human" } },
    house.owner.id,
  );
  const ada = id as typeof house.owner.id;
  await permissions.grant({ agent: ada, on: house.house, level: "w" }, { agent: house.owner.id });
  const { key } = await keys.create({ name: "k", agent: ada }, { agent: house.owner.id });
  await streams.append({
    stream: `house:${house.house}`,
    id: house.options.kernel.world.ids.fresh("evt"),
    event: { type: "secret-changed", at: 1, by: house.owner.id, on: house.house, name: "HIDDEN_NAME", change: "set" },
  });
  const logOf = async (by?: string): Promise<string> =>
    (
      await house.call(
        "/api/houses/home/log?limit=1000",
        by === undefined ? {} : { headers: { authorization: `Bearer ${by}` } },
      )
    ).text();
  expect(await logOf()).toContain("HIDDEN_NAME");
  const seen = await logOf(key);
  expect(seen).toContain('"events"');
  expect(seen).not.toContain("HIDDEN_NAME");
});

describe("a person with the right secrets", () => {
  const setUpAs = async () => {
    const scene = await setUp();
    const { records, permissions } = scene.house.options.people;
    const owner = { agent: scene.house.owner.id };
    const content = { name: "Ada", kind: "human" };
    const { id } = await records.mutate({ kind: "create", type: "agent", level: "none", content }, owner.agent);
    const ada = id as AgentId;
    await permissions.grant({ agent: ada, on: scene.house.house, level: "r", rights: ["secrets"] }, owner);
    const headers = await scene.house.logIn(ada);
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await scene.house.call(`/api/houses/home/secrets${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return [response.status, text === "" ? undefined : JSON.parse(text)] as const;
    };
    return { ...scene, ask, askAsOwner: scene.ask, ada };
  };

  test("stores, lists, replaces and removes secrets, and extends present grants to other agents", async () => {
    const { house, ask, askAsOwner, terms, ada } = await setUpAs();
    expect((await ask("POST", "", { name: "ONE", value: VALUE }))[0]).toBe(201);
    expect((await ask("POST", "/ONE/rotate", { value: `${VALUE}!` }))[0]).toBe(200);
    expect(await ask("POST", "/ONE/grants", terms)).toMatchObject([403, { error: { code: "auth.denied" } }]);
    await askAsOwner("POST", "/ONE/grants", terms);
    expect(await ask("POST", "/ONE/grants", terms)).toMatchObject([201, { by: ada }]);
    expect(JSON.stringify(await ask("GET", ""))).not.toContain(VALUE);
    expect((await ask("DELETE", "/ONE"))[0]).toBe(204);
    expect(await house.options.secrets.vault.list(house.house)).toEqual([]);
  });

  test("A64: changes no secret that the config file or a job uses", async () => {
    const { house, ask, askAsOwner, terms } = await setUpAs();
    const { config } = house.options.kernel;
    await config.edit((text) => `${text}\n[channels.team]\nkind = "telegram"\ntoken = "secret:TEAM"\nagent = "main"\n`);
    for (const name of ["TEAM", "job-news-0123"]) {
      const denied = [403, { error: { code: "auth.denied" } }];
      expect(await ask("POST", "", { name, value: VALUE })).toMatchObject(denied);
      await askAsOwner("POST", "", { name, value: VALUE });
      const { json: given }: { json: SecretGrant } = await askAsOwner("POST", `/${name}/grants`, terms);
      expect(await ask("POST", `/${name}/rotate`, { value: `${VALUE}!` })).toMatchObject(denied);
      expect(await ask("POST", `/${name}/grants`, terms)).toMatchObject(denied);
      expect(await ask("DELETE", `/${name}/grants/${given.id}`)).toMatchObject(denied);
      expect(await ask("DELETE", `/${name}`)).toMatchObject(denied);
      expect(await house.options.secrets.vault.read(house.house, name)).toBe(VALUE);
    }
    expect((await ask("POST", "", { name: "TEAM2", value: VALUE }))[0]).toBe(201);
    // A longer name is not a pattern.
    expect((await ask("DELETE", "/(T%2B)%2B$"))[0]).toBe(404);
  });
});
