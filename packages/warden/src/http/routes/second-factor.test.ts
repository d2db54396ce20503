import { expect, test } from "bun:test";
import type { KeyScope } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { TOTP } from "otpauth";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { PROOF_MS } from "../../people/credentials/house-logins.ts";
import { createFakeHouse, HOST, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";
const PERIOD_MS = 30_000;
const BASE = "/api/second-factor";

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { logins, passwords, keys, permissions, records } = house.options.people;
  const { owner } = house;
  const content = { name: "Ana", kind: "human" } as const;
  const ana = await records.mutate({ kind: "create", type: "agent", content }, owner.id);
  await passwords.set(owner.id, PASSWORD);
  const session = async (agent = owner.id) => {
    const begun = await logins.begin(agent as typeof owner.id, { about: "" });
    return { cookie: `hearth_session=${begun?.cookie}`, origin: `http://${HOST}` };
  };
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await house.call(path, init);
    const json = await response.json();
    return { status: response.status, code: json.error?.code, json };
  };
  const codeOf = (secret: string) =>
    TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: world.clock.now() });
  const turnOn = async (headers: Record<string, string>, current?: string) => {
    const begun = await ask("POST", `${BASE}/setup`, headers, current === undefined ? {} : { current });
    const { setup, secret } = begun.json;
    const confirmed = await ask("POST", BASE, headers, { setup, code: codeOf(secret) });
    await world.advance(PERIOD_MS);
    return { begun, confirmed, secret, code: () => codeOf(secret) };
  };
  const login = { authorization: "", origin: `http://${HOST}`, "content-type": "application/json" };
  const logIn = async (body: unknown) => {
    const response = await house.call("/login", { method: "POST", headers: login, body: JSON.stringify(body) });
    const cookie = response.headers.get("set-cookie")?.split(";")[0];
    return { status: response.status, cookie, json: await response.json() };
  };
  const withPassword = () => logIn({ person: "owner", password: PASSWORD });
  return { world, house, owner, ana, logins, keys, permissions, session, ask, turnOn, logIn, withPassword };
};

const factorOf = (name: string) => `/api/agents/${name}/second-factor`;

test("A24: with a second factor, neither a password nor a login link is enough", async () => {
  const { house, logins, owner, session, turnOn, logIn, withPassword, world } = await setUp();
  const { begun, confirmed, code } = await turnOn(await session(), PASSWORD);
  expect([begun.status, confirmed.status]).toEqual([201, 201]);
  expect(confirmed.json.recoveryCodes).toHaveLength(10);
  const first = [await withPassword(), await logIn({ code: logins.offer(owner.id, { proves: true }).code })];
  for (const { status, cookie, json } of first)
    expect([status, cookie, Object.keys(json)]).toEqual([200, undefined, ["ticket", "expiresAt"]]);
  for (const { json } of first) {
    expect(await logIn({ ticket: json.ticket, code: "000000" })).toMatchObject({ status: 400, cookie: undefined });
    const done = await logIn({ ticket: json.ticket, code: code() });
    expect(done.status).toBe(200);
    expect((await house.call("/api/me", { headers: { cookie: done.cookie ?? "" } })).status).toBe(200);
    await world.advance(PERIOD_MS);
  }
  const began = (await logins.list(owner.id)).map(({ method }) => method);
  expect(began.slice(0, 2)).toEqual(["link-code", "password-code"]);
});

test("a browser without scripts gets a form for the code, and then the cookie", async () => {
  const { house, session, turnOn } = await setUp();
  const { code } = await turnOn(await session(), PASSWORD);
  const headers = {
    authorization: "",
    origin: `http://${HOST}`,
    "content-type": "application/x-www-form-urlencoded",
  };
  const post = (fields: Record<string, string>) =>
    house.call("/login", { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  const asked = await post({ person: "owner", password: PASSWORD });
  const html = await asked.text();
  expect([asked.status, asked.headers.get("set-cookie")]).toEqual([200, null]);
  expect(html).toContain('autocomplete="one-time-code"');
  expect(html).not.toContain("<script");
  expect(html).not.toContain(PASSWORD);
  const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const done = await post({ ticket, code: code() });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/ui/"]);
  expect(done.headers.get("set-cookie")).toContain("HttpOnly");
});

test("A24: a login link of a person with a second factor needs a code, and then no further one", async () => {
  const { ask, session, turnOn, logIn } = await setUp();
  const { code } = await turnOn(await session(), PASSWORD);
  const runToken = { authorization: `Bearer ${RUN_TOKEN}` };
  for (const body of [{}, { code: "000000" }])
    expect(await ask("POST", "/api/login-links", runToken, body)).toMatchObject({ status: 400, code: "auth.code" });
  const made = await ask("POST", "/api/login-links", runToken, { code: code() });
  expect(made.status).toBe(201);
  const done = await logIn({ code: new URL(made.json.url).searchParams.get("code") });
  expect(done.json).toMatchObject({ method: "link-code" });
});

test("a device that is added by a session needs no code, and cannot turn the second factor off", async () => {
  const { ask, session, turnOn, logIn } = await setUp();
  const here = await session();
  await turnOn(here, PASSWORD);
  const { json } = await ask("POST", "/api/sessions/pair", here);
  const added = await logIn({ code: new URL(json.url).hash.slice(1) });
  expect(added.json).toMatchObject({ method: "device" });
  const headers = { cookie: added.cookie ?? "", origin: `http://${HOST}` };
  expect(await ask("DELETE", factorOf("owner"), headers)).toMatchObject({ status: 400, code: "auth.code" });
});

test("A25: an open browser cannot set up a second factor without the password", async () => {
  const { ask, session } = await setUp();
  const here = await session();
  expect(await ask("GET", factorOf("owner"), here)).toMatchObject({
    status: 200,
    json: { isOn: false, needsCurrent: true },
  });
  for (const body of [{}, { current: "wrong" }])
    expect(await ask("POST", `${BASE}/setup`, here, body)).toMatchObject({ status: 400, code: "auth.password" });
});

test("A25: turning it off needs a login with a code in the last 15 minutes, or the run token", async () => {
  const { world, ask, session, turnOn, logIn, withPassword, house } = await setUp();
  const old = await session();
  const { code } = await turnOn(old, PASSWORD);
  const { json } = await withPassword();
  const { cookie = "" } = await logIn({ ticket: json.ticket, code: code() });
  const fresh = { cookie, origin: `http://${HOST}` };
  const key = { authorization: `Bearer ${house.key}` };
  for (const headers of [old, key])
    expect(await ask("DELETE", factorOf("owner"), headers)).toMatchObject({ status: 400, code: "auth.code" });
  await world.advance(PROOF_MS);
  expect(await ask("DELETE", factorOf("owner"), fresh)).toMatchObject({ status: 400, code: "auth.code" });
  const again = await logIn({ ticket: (await withPassword()).json.ticket, code: code() });
  const off = await ask("DELETE", factorOf("owner"), { cookie: again.cookie ?? "", origin: `http://${HOST}` });
  expect(off).toMatchObject({ status: 200, json: { isOn: false, recoveryCodesLeft: 0 } });
  expect((await withPassword()).cookie).toBeDefined();

  await world.advance(PERIOD_MS);
  await turnOn(old, PASSWORD);
  const runToken = { authorization: `Bearer ${RUN_TOKEN}` };
  expect(await ask("DELETE", factorOf("owner"), runToken)).toMatchObject({ status: 200, json: { isOn: false } });
});

test("A25: an administrator with all rights of a member turns theirs off, and no other person does", async () => {
  const { house, owner, ana, ask, session, turnOn, keys } = await setUp();
  const hers = await session(ana.id as typeof owner.id);
  await turnOn(hers);
  const his = await session();
  await turnOn(his, PASSWORD);
  expect(await ask("DELETE", factorOf("owner"), hers)).toMatchObject({ status: 403 });
  const scope: KeyScope = { level: "x" };
  const limited = await keys.create({ name: "limited", agent: owner.id, scope }, { agent: owner.id });
  expect(await ask("DELETE", factorOf("ana"), { authorization: `Bearer ${limited.key}` })).toMatchObject({
    code: "grant.exceeds",
  });
  expect(await ask("DELETE", factorOf("ana"), his)).toMatchObject({ status: 200, json: { isOn: false } });
  const log = await house.store.select({ table: "events", where: { stream: `agent:${ana.id}` } });
  expect(JSON.parse(log.at(-1)?.body ?? "{}")).toMatchObject({ change: "off", by: owner.id });
});

test("a bot cannot have a second factor", async () => {
  const { house, ask } = await setUp();
  const bot = { authorization: `Bearer ${house.botKey}` };
  expect(await ask("POST", `${BASE}/setup`, bot, {})).toMatchObject({ status: 403, code: "auth.denied" });
});

test("new recovery codes need a code", async () => {
  const { ask, session, turnOn } = await setUp();
  const here = await session();
  const { code, confirmed } = await turnOn(here, PASSWORD);
  const path = `${BASE}/recovery-codes`;
  expect(await ask("POST", path, here, { code: "000000" })).toMatchObject({ status: 400, code: "auth.code" });
  const renewed = await ask("POST", path, here, { code: code() });
  expect(renewed.json.recoveryCodes).toHaveLength(10);
  expect(renewed.json.recoveryCodes).not.toEqual(confirmed.json.recoveryCodes);
});
