import { expect, test } from "bun:test";
import type { AgentRecord, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createMemoryStore } from "../store/memory.ts";
import { CODE_MS, createLogins, MAX_CODES, SESSION_MS } from "./house-logins.ts";
import { toRow } from "./record-rows.ts";

const { hash } = createBunWorld();

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const house: HouseId = world.ids.fresh("house");
  const owner: AgentRecord = {
    type: "agent",
    id: world.ids.fresh("agent"),
    house,
    handle: "owner",
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    content: { name: "Owner", kind: "human" },
  };
  await store.commit({ writes: [{ kind: "insert", table: "records", row: toRow(owner) }] });
  const logins = createLogins({ world, store });
  const logIn = async () => (await logins.redeem(logins.offer(owner.id).code))?.cookie ?? "";
  return { world, store, logins, owner: owner.id, logIn };
};

test("a code becomes a cookie once", async () => {
  const { world, logins, owner } = await setUp();
  const { code, expiresAt } = logins.offer(owner);
  expect(expiresAt).toBe(world.clock.now() + 15 * 60_000);
  expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const session = await logins.redeem(code);
  expect(session).toEqual({
    cookie: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    expiresAt: world.clock.now() + 30 * 24 * 60 * 60_000,
  });
  expect(session?.cookie).not.toBe(code);
  expect(await logins.redeem(code)).toBeUndefined();
});

test("of two who redeem one code at once, one gets in", async () => {
  const { logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  const got = await Promise.all([logins.redeem(code), logins.redeem(code)]);
  expect(got.filter((session) => session !== undefined)).toHaveLength(1);
});

test("a code that is wrong, or fifteen minutes old, is worth nothing", async () => {
  const { world, logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  for (const wrong of ["", code.slice(1), code.toLowerCase(), hash(code)])
    expect(await logins.redeem(wrong)).toBeUndefined();
  await world.advance(CODE_MS);
  expect(await logins.redeem(code)).toBeUndefined();
});

test("a code lives until just before its time is up", async () => {
  const { world, logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  await world.advance(CODE_MS - 1);
  expect(await logins.redeem(code)).toBeDefined();
});

test("codes are bounded in number: the oldest goes", async () => {
  const { logins, owner } = await setUp();
  const codes = Array.from({ length: MAX_CODES + 1 }, () => logins.offer(owner).code);
  expect(await logins.redeem(codes[0] ?? "")).toBeUndefined();
  expect(await logins.redeem(codes[1] ?? "")).toBeDefined();
});

test("a cookie stands for its agent until its session ends or is thirty days old", async () => {
  const { world, logins, owner, logIn } = await setUp();
  const [one, other] = [await logIn(), await logIn()];
  expect(await logins.authenticate(one)).toEqual({ agent: owner, via: "login" });
  await logins.end(one);
  expect(await logins.authenticate(one)).toBeUndefined();
  await world.advance(SESSION_MS - 1);
  expect(await logins.authenticate(other)).toBeDefined();
  await world.advance(1);
  expect(await logins.authenticate(other)).toBeUndefined();
});

test("neither code nor cookie is kept as text, and old sessions are swept out", async () => {
  const { world, store, logins, owner, logIn } = await setUp();
  const { code } = logins.offer(owner);
  const cookie = await logIn();
  const rows = await store.select({ table: "logins" });
  expect(rows).toEqual([
    { hash: hash(cookie), agent: owner, created_at: world.clock.now(), expires_at: world.clock.now() + SESSION_MS },
  ]);
  expect(JSON.stringify(rows)).not.toContain(code);
  await world.advance(SESSION_MS);
  const next = await logIn();
  expect((await store.select({ table: "logins" })).map((row) => row.hash)).toEqual([hash(next)]);
});

test("a new daemon knows the sessions but no code", async () => {
  const { world, store, logins, owner, logIn } = await setUp();
  const cookie = await logIn();
  const { code } = logins.offer(owner);
  const after = createLogins({ world, store });
  expect(await after.authenticate(cookie)).toBeDefined();
  expect(await after.redeem(code)).toBeUndefined();
});

test("an agent that was removed cannot come in and is out", async () => {
  const { store, logins, owner, logIn } = await setUp();
  const cookie = await logIn();
  const { code } = logins.offer(owner);
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: owner } }] });
  expect(await logins.authenticate(cookie)).toBeUndefined();
  expect(await logins.redeem(code)).toBeUndefined();
});

test("ending a session that is not there is no error", async () => {
  const { logins, owner } = await setUp();
  await logins.end("nothing");
  expect(logins.offer(owner)).toBeDefined();
});
