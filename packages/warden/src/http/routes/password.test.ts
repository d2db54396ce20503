import { expect, test } from "bun:test";
import type { KeyScope } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { redeem } from "../../fixtures/redeem.ts";
import { createFakeHouse, HOST, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const OLD = "correct horse battery";
const NEW = "another fine password";

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { logins, passwords, keys, permissions, records } = house.options.people;
  const { owner } = house;
  const ana = await records.mutate(
    { kind: "create", type: "agent", content: { name: "Ana", kind: "human" } },
    owner.id,
  );
  if (ana.type !== "agent") throw new Error("no agent");
  const session = async (agent = owner.id, proves = false) => {
    const begun = proves
      ? await redeem(logins, logins.offer(agent, { proves }).code)
      : await logins.begin(agent, { about: "" });
    return { cookie: `hearth_session=${begun?.cookie}`, origin: `http://${HOST}` };
  };
  const set = async (headers: Record<string, string>, body: unknown, who = "owner") => {
    const response = await house.call(`/api/agents/${who}/password`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const json = await response.json();
    return { status: response.status, code: json.error?.code, ended: json.ended, json };
  };
  const state = async (headers: Record<string, string>, who = "owner") =>
    (await house.call(`/api/agents/${who}/password`, { headers })).json();
  const knows = async (person: string, password: string) =>
    (await passwords.check({ person, password, peer: "10.9.9.9" })) !== undefined;
  return { world, house, owner, ana, logins, passwords, keys, permissions, session, set, state, knows };
};

test("the first password needs no current one, later ones do", async () => {
  const { session, set, state, knows } = await setUp();
  const here = await session();
  expect(await state(here)).toEqual({ isSet: false, needsCurrent: false });
  expect(await set(here, { password: OLD })).toMatchObject({ status: 200, ended: 0 });
  expect(await state(here)).toEqual({ isSet: true, needsCurrent: true });
  expect(await set(here, { password: NEW })).toMatchObject({ status: 400, code: "auth.password" });
  expect(await set(here, { password: NEW, current: "wrong password" })).toMatchObject({
    status: 400,
    code: "auth.password",
  });
  expect(await knows("owner", OLD)).toBe(true);
  expect(await set(here, { password: NEW, current: OLD })).toMatchObject({ status: 200 });
  expect([await knows("owner", OLD), await knows("owner", NEW)]).toEqual([false, true]);
});

test("a new password ends the other sessions and counts them; this one continues", async () => {
  const { house, session, set } = await setUp();
  const [here, there] = [await session(), await session()];
  await session();
  expect(await set(here, { password: OLD })).toMatchObject({ status: 200, ended: 2 });
  const statusOf = async (headers: Record<string, string>) => (await house.call("/api/me", { headers })).status;
  expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
});

test("a login by a link of the house's own terminal needs no current password for fifteen minutes; a link that a browser made does", async () => {
  const { world, house, owner, passwords, session, set, state, knows } = await setUp();
  await passwords.set(owner.id, OLD);
  const fresh = await session(owner.id, true);
  const other = await session();
  const link = await house.call("/api/login-links", { method: "POST", headers: other, body: "{}" });
  const code = new URL((await link.json()).url).searchParams.get("code") ?? "";
  const byOther = await redeem(house.options.people.logins, code);
  expect(await set({ ...other, cookie: `hearth_session=${byOther?.cookie}` }, { password: NEW })).toMatchObject({
    code: "auth.password",
  });

  expect(await state(fresh)).toEqual({ isSet: true, needsCurrent: false });
  await world.advance(15 * 60_000 - 1);
  expect(await set(fresh, { password: NEW })).toMatchObject({ status: 200 });
  await world.advance(1);
  expect(await state(fresh)).toEqual({ isSet: true, needsCurrent: true });
  expect(await set(fresh, { password: OLD })).toMatchObject({ status: 400, code: "auth.password" });
  expect(await knows("owner", NEW)).toBe(true);
});

test("the terminal of the house's machine needs no current password", async () => {
  const { owner, passwords, set, knows } = await setUp();
  await passwords.set(owner.id, OLD);
  expect(await set({ authorization: `Bearer ${RUN_TOKEN}` }, { password: NEW })).toMatchObject({ status: 200 });
  expect(await knows("owner", NEW)).toBe(true);
});

test("the current password cannot be guessed in an open session either", async () => {
  const { owner, passwords, session, set } = await setUp();
  await passwords.set(owner.id, OLD);
  const here = await session();
  const codes: string[] = [];
  for (let count = 0; count < 12; count += 1)
    codes.push((await set(here, { password: NEW, current: `wrong ${count}` })).code);
  expect(codes).toEqual([...Array(10).fill("auth.password"), "auth.limited", "auth.limited"]);
});

test("an administrator of a person's house sets their password without knowing it, and logs them out", async () => {
  const { house, ana, passwords, session, set, state, knows } = await setUp();
  await passwords.set(ana.id, OLD);
  const anas = await session(ana.id);
  const admin = await session();
  expect(await state(admin, "ana")).toEqual({ isSet: true, needsCurrent: false });
  expect(await set(admin, { password: NEW }, "ana")).toMatchObject({ status: 200, ended: 1 });
  expect(await knows("ana", NEW)).toBe(true);
  expect((await house.call("/api/me", { headers: anas })).status).toBe(401);
  expect((await house.call("/api/me", { headers: admin })).status).toBe(200);
});

test("a caller cannot set it for a person with more rights, or of a house they do not administer", async () => {
  const { house, owner, ana, permissions, passwords, session, set, knows } = await setUp();
  await passwords.set(owner.id, OLD);
  const anas = await session(ana.id);
  expect(await set(anas, { password: NEW })).toMatchObject({ status: 403, code: "auth.denied" });
  const elsewhere = await house.options.people.records.mutate(
    { kind: "create", type: "house", content: { name: "Elsewhere" } },
    owner.id,
  );
  await permissions.grant({ agent: ana.id, on: house.house, level: "x" }, { agent: owner.id });
  // Ana now administers the owner's house, but not the other house, which the owner administers.
  expect(elsewhere.type).toBe("house");
  expect(await set(anas, { password: NEW })).toMatchObject({ status: 403, code: "grant.exceeds" });
  expect(await knows("owner", OLD)).toBe(true);
});

test("a limited or expiring key cannot set a password", async () => {
  const { world, house, owner, ana, keys, set, knows } = await setUp();
  const limits: readonly { scope?: KeyScope; expiresAt?: number }[] = [
    { scope: { level: "x" } },
    { expiresAt: world.clock.now() + 60_000 },
  ];
  for (const limit of limits) {
    const { key } = await keys.create({ name: "limited", agent: owner.id, ...limit }, { agent: owner.id });
    for (const who of ["owner", ana.handle])
      expect(await set({ authorization: `Bearer ${key}` }, { password: NEW }, who)).toMatchObject({
        status: 403,
        code: "grant.exceeds",
      });
  }
  expect(await knows("owner", NEW)).toBe(false);
  expect(await set({ authorization: `Bearer ${house.key}` }, { password: NEW })).toMatchObject({ status: 200 });
});

test("a bot cannot have a password, and short or invalid ones are refused", async () => {
  const { session, set } = await setUp();
  const here = await session();
  expect(await set(here, { password: OLD }, "main")).toMatchObject({ status: 400, code: "auth.password" });
  for (const password of ["", "short", "123456789", "x".repeat(1001), "lone \ud800 surrogate"])
    expect([password, (await set(here, { password })).code]).toEqual([password, "request.invalid"]);
  expect(await set(here, { password: OLD }, "nobody")).toMatchObject({ status: 404 });
});
