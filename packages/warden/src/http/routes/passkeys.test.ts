import { expect, test } from "bun:test";
import type { AgentId, KeyScope } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createAuthenticator } from "@hearth/testing/passkeys";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { PROOF_MS } from "../../people/credentials/house-logins.ts";
import { createFakeHouse, HOST } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";
const NAMED = HOST.replace("127.0.0.1", "localhost");
const ORIGIN = `http://${NAMED}`;

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { logins, records, passwords, keys, secondFactors } = house.options.people;
  const { owner } = house;
  const content = { name: "Ana", kind: "human" } as const;
  const ana = await records.mutate({ kind: "create", type: "agent", content }, owner.id);
  const session = async (agent: string = owner.id, proves = false) => {
    const begun = await logins.begin(agent as AgentId, { about: "" }, { proves });
    return { cookie: `hearth_session=${begun?.cookie}` };
  };
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const init = {
      method,
      headers: { host: NAMED, origin: ORIGIN, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await house.http.handle(new Request(`${ORIGIN}${path}`, init), { address: "127.0.0.1" });
    const json = await response.json();
    const cookie = response.headers.get("set-cookie")?.split(";")[0];
    return { status: response.status, code: json.error?.code, json, cookie };
  };
  const begin = (headers: Record<string, string>, body: unknown = {}) =>
    ask("POST", "/api/passkeys/setup", headers, body);
  const device = createAuthenticator(ORIGIN);
  const add = async (headers: Record<string, string>) => {
    const { json } = await begin(headers);
    const passkey = device.create(json);
    return ask("POST", "/api/passkeys", headers, { ticket: json.ticket, name: "Phone", passkey });
  };
  const logIn = async () => {
    const { json } = await ask("POST", "/login/passkey", {});
    return ask("POST", "/login", {}, { ticket: json.ticket, passkey: device.get(json) });
  };
  return { world, house, owner, ana, keys, passwords, secondFactors, session, ask, begin, add, logIn };
};

test("a passkey is added, logs in with a cookie, and is a fresh login for 15 minutes", async () => {
  const { world, owner, passwords, session, ask, begin, add, logIn } = await setUp();
  expect((await add(await session(owner.id, true))).status).toBe(201);
  await passwords.set(owner.id, PASSWORD);
  const { status, cookie = "", json } = await logIn();
  expect([status, json.method]).toEqual([200, "passkey"]);
  expect((await ask("GET", "/api/me", { cookie })).status).toBe(200);
  expect((await ask("GET", `/api/agents/${owner.id}/passkeys`, { cookie })).json.needsCurrent).toBe(false);
  expect((await begin({ cookie })).status).toBe(201);
  await world.advance(PROOF_MS);
  expect(await begin({ cookie })).toMatchObject({ status: 400, code: "auth.password" });
});

test("A25: an open browser adds no passkey without the password, or without a fresh login", async () => {
  const { owner, passwords, session, begin } = await setUp();
  const old = await session();
  expect(await begin(old)).toMatchObject({ status: 403, code: "auth.stale" });
  await passwords.set(owner.id, PASSWORD);
  const again = await session();
  for (const body of [{}, { current: "wrong" }])
    expect(await begin(again, body)).toMatchObject({ status: 400, code: "auth.password" });
  expect((await begin(again, { current: PASSWORD })).status).toBe(201);
});

test("A24: with a second factor, adding a passkey needs a login with a code", async () => {
  const { owner, house, session, begin } = await setUp();
  const at = house.options.kernel.world.clock.now();
  await house.store.commit({
    by: owner.id,
    writes: [
      {
        kind: "insert",
        table: "second_factors",
        row: { agent: owner.id, id: "x", last_step: 0, created_at: at },
      },
    ],
  });
  expect(await begin(await session(owner.id, true))).toMatchObject({ status: 400, code: "auth.code" });
});

test("an administrator removes a member's passkey, and no other person does", async () => {
  const { house, owner, ana, keys, session, ask, add, logIn } = await setUp();
  const hers = await session(ana.id, true);
  const { json } = await add(hers);
  const path = `/api/agents/${ana.id}/passkeys/${json.id}`;
  const scope: KeyScope = { level: "x" };
  const { key } = await keys.create({ name: "limited", agent: owner.id, scope }, { agent: owner.id });
  expect(await ask("DELETE", path, { authorization: `Bearer ${key}` })).toMatchObject({ code: "grant.exceeds" });
  const bot = { authorization: `Bearer ${house.botKey}` };
  expect((await ask("DELETE", path, bot)).status).toBeOneOf([403, 404]);
  expect(await ask("DELETE", path, await session())).toMatchObject({ status: 200, json: { name: "Phone" } });
  expect(await logIn()).toMatchObject({ status: 401, code: "auth.invalid", cookie: undefined });
  const log = await house.store.select({ table: "events", where: { stream: `agent:${ana.id as AgentId}` } });
  expect(JSON.parse(log.at(-1)?.body ?? "{}")).toMatchObject({ change: "removed", by: owner.id });
});

test("a bot cannot have a passkey", async () => {
  const { house, begin } = await setUp();
  const bot = { authorization: `Bearer ${house.botKey}` };
  expect(await begin(bot)).toMatchObject({ status: 403, code: "auth.denied" });
});
