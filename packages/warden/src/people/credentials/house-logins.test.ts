import { expect, test } from "bun:test";
import { type AgentRecord, HearthError, type HouseId, type World } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { redeem } from "../../fixtures/redeem.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import type { Store } from "../../kernel/store/store.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import {
  CODE_MS,
  createLogins,
  MAX_CODES,
  MAX_SESSIONS,
  PROOF_MS,
  SESSION_MS,
  type SessionLife,
  USED_MS,
} from "./house-logins.ts";
import { toRow } from "../records/record-rows.ts";

const { hash } = createBunWorld();

const openLogins = (world: World, store: Store, life?: () => SessionLife) => {
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  return createLogins({ world, store, streams, ...(life === undefined ? {} : { life }) });
};

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
  const other: AgentRecord = { ...owner, id: world.ids.fresh("agent"), handle: "other" };
  await store.commit({ writes: [{ kind: "insert", table: "records", row: toRow(other) }] });
  const logins = openLogins(world, store);
  const begin = async (agent = owner.id, about = "") => {
    const session = await logins.begin(agent, { about });
    if (session === undefined) throw new Error("no session");
    return session;
  };
  const logIn = async () => (await redeem(logins, logins.offer(owner.id).code))?.cookie ?? "";
  return { world, store, logins, owner: owner.id, other: other.id, begin, logIn };
};

test("a code can be exchanged for a cookie once", async () => {
  const { world, logins, owner } = await setUp();
  const { code, expiresAt } = logins.offer(owner);
  expect(expiresAt).toBe(world.clock.now() + 15 * 60_000);
  expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const session = await redeem(logins, code);
  expect(session).toEqual({
    id: expect.stringMatching(/^ses_/),
    agent: owner,
    about: "",
    createdAt: world.clock.now(),
    usedAt: world.clock.now(),
    cookie: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    expiresAt: world.clock.now() + 30 * 24 * 60 * 60_000,
  });
  expect(session?.cookie).not.toBe(code);
  expect(await redeem(logins, code)).toBeUndefined();
});

test("of two concurrent uses of one code, one succeeds", async () => {
  const { logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  const got = await Promise.all([redeem(logins, code), redeem(logins, code)]);
  expect(got.filter((session) => session !== undefined)).toHaveLength(1);
});

test("a wrong or expired code fails", async () => {
  const { world, logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  for (const wrong of ["", code.slice(1), code.toLowerCase(), hash(code)])
    expect(await redeem(logins, wrong)).toBeUndefined();
  await world.advance(CODE_MS);
  expect(await redeem(logins, code)).toBeUndefined();
});

test("a code is valid until just before its end", async () => {
  const { world, logins, owner } = await setUp();
  const { code } = logins.offer(owner);
  await world.advance(CODE_MS - 1);
  expect(await redeem(logins, code)).toBeDefined();
});

test("the number of codes is limited, and the oldest is dropped", async () => {
  const { logins, owner } = await setUp();
  const codes = Array.from({ length: MAX_CODES + 1 }, () => logins.offer(owner).code);
  expect(await redeem(logins, codes[0] ?? "")).toBeUndefined();
  expect(await redeem(logins, codes[1] ?? "")).toBeDefined();
});

test("a cookie authenticates its agent until the session ends or is thirty days old", async () => {
  const { world, logins, owner, logIn } = await setUp();
  const [first, second] = [await logIn(), await logIn()];
  const principal = await logins.authenticate(first);
  expect(principal).toEqual({ agent: owner, via: "login", session: expect.stringMatching(/^ses_/) });
  expect(await logins.end(owner, principal!.session!)).toBe(true);
  expect(await logins.authenticate(first)).toBeUndefined();
  await world.advance(SESSION_MS - 1);
  expect(await logins.authenticate(second)).toBeDefined();
  await world.advance(1);
  expect(await logins.authenticate(second)).toBeUndefined();
});

test("an idle session ends, and a use or a longer limit keeps it", async () => {
  const { world, store, owner, logIn } = await setUp();
  const life: { sessionMs: number; idleMs?: number } = { sessionMs: SESSION_MS, idleMs: 3_600_000 };
  const logins = openLogins(world, store, () => life);
  const cookie = await logIn();
  await world.advance(3_600_000 - 1);
  expect(await logins.authenticate(cookie)).toBeDefined();
  await world.advance(3_600_000 + USED_MS - 1);
  // The check of an open connection does not count as use.
  expect(await logins.authenticate(cookie, undefined, { isUse: false })).toBeDefined();
  await world.advance(1);
  expect([await logins.authenticate(cookie), await logins.list(owner)]).toEqual([undefined, []]);
  delete life.idleMs;
  expect(await logins.authenticate(cookie)).toBeDefined();
});

test("a shorter limit ends sessions that have begun", async () => {
  const { world, store, logIn } = await setUp();
  const life = { sessionMs: SESSION_MS };
  const logins = openLogins(world, store, () => life);
  const cookie = await logIn();
  await world.advance(86_400_000);
  expect(await logins.authenticate(cookie)).toBeDefined();
  life.sessionMs = 86_400_000;
  expect(await logins.authenticate(cookie)).toBeUndefined();
});

test("neither code nor cookie is stored as text, and expired sessions are removed", async () => {
  const { world, store, logins, owner, logIn } = await setUp();
  const { code } = logins.offer(owner);
  const cookie = await logIn();
  const rows = await store.select({ table: "logins" });
  expect(rows).toEqual([
    {
      hash: hash(cookie),
      id: expect.stringMatching(/^ses_/),
      about: "",
      agent: owner,
      created_at: world.clock.now(),
      expires_at: world.clock.now() + SESSION_MS,
      name: null,
      used_at: world.clock.now(),
      address: null,
      method: null,
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain(code);
  await world.advance(SESSION_MS);
  const next = await logIn();
  expect((await store.select({ table: "logins" })).map((row) => row.hash)).toEqual([hash(next)]);
});

test("a restarted daemon keeps sessions and forgets codes", async () => {
  const { world, store, logins, owner, logIn } = await setUp();
  const cookie = await logIn();
  const { code } = logins.offer(owner);
  const after = openLogins(world, store);
  expect(await after.authenticate(cookie)).toBeDefined();
  expect(await redeem(after, code)).toBeUndefined();
});

test("a removed agent can neither log in nor stay logged in", async () => {
  const { store, logins, owner, logIn } = await setUp();
  const cookie = await logIn();
  const { code } = logins.offer(owner);
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: owner } }] });
  expect(await logins.authenticate(cookie)).toBeUndefined();
  expect(await redeem(logins, code)).toBeUndefined();
});

test("sessions are listed newest first with the browser's description, only valid ones of the same agent", async () => {
  const { world, logins, owner, other, begin } = await setUp();
  const old = await begin(owner, "Old");
  await world.advance(SESSION_MS - 5);
  const first = await begin(owner, "x".repeat(1000));
  await world.advance(4);
  const { cookie: _, ...second } = await begin(owner, "Firefox \ud800");
  await begin(other, "theirs");
  expect((await logins.list(owner)).map(({ id }) => id)).toEqual([second.id, first.id, old.id]);
  await world.advance(1);
  expect(await logins.list(owner)).toEqual([
    { ...second, about: "Firefox \ufffd" },
    {
      ...second,
      id: first.id,
      about: "x".repeat(200),
      createdAt: first.createdAt,
      usedAt: first.createdAt,
      expiresAt: first.expiresAt,
    },
  ]);
});

test("an agent can end its own sessions, and no others", async () => {
  const { logins, owner, other, begin } = await setUp();
  const { id, cookie } = await begin(owner);
  expect(await logins.end(other, id)).toBe(false);
  expect(await logins.authenticate(cookie)).toBeDefined();
  expect(await logins.end(owner, id)).toBe(true);
  expect(await logins.end(owner, id)).toBe(false);
});

test("all sessions of an agent end at once except the kept one; other agents' stay", async () => {
  const { logins, owner, other, begin } = await setUp();
  const [one, two, kept] = [await begin(), await begin(), await begin()];
  const theirs = await begin(other);
  expect(await logins.endAll(owner, { keep: kept.id })).toBe(2);
  const holding = async (cookies: readonly { cookie: string }[]) =>
    Promise.all(cookies.map(async ({ cookie }) => (await logins.authenticate(cookie)) !== undefined));
  expect(await holding([one, two, kept, theirs])).toEqual([false, false, true, true]);
  expect(await logins.endAll(owner)).toBe(1);
  expect(await holding([kept, theirs])).toEqual([false, true]);
  expect(await logins.endAll(owner)).toBe(0);
});

test("the number of ended sessions counts those that still held, whichever session is kept", async () => {
  const { world, logins, owner, begin } = await setUp();
  await begin();
  await world.advance(SESSION_MS);
  const [kept] = [await begin(), await begin()];
  expect(await logins.endAll(owner, { keep: kept.id })).toBe(1);
  await world.advance(SESSION_MS);
  expect(await logins.endAll(owner)).toBe(0);
});

test("keeping another agent's or an ended session keeps none", async () => {
  const { logins, owner, other, begin } = await setUp();
  const theirs = await begin(other);
  const mine = await begin();
  expect(await logins.endAll(owner, { keep: theirs.id })).toBe(1);
  expect(await logins.authenticate(mine.cookie)).toBeUndefined();
  const [gone, kept] = [await begin(), await begin()];
  const [first, second] = await Promise.all([logins.end(owner, kept.id), logins.endAll(owner, { keep: kept.id })]);
  expect([first, second]).toEqual([true, expect.any(Number)]);
  for (const { cookie } of [gone, kept]) expect(await logins.authenticate(cookie)).toBeUndefined();
});

test("additional changes are in the commit that ends all sessions, or nothing is written", async () => {
  const { store, logins, owner, begin } = await setUp();
  const { cookie } = await begin();
  const write = { kind: "put", table: "passwords", row: { agent: owner, hash: "h", at: 1 } } as const;
  const missing = { kind: "exists", table: "records", where: { id: "nobody" } } as const;
  await expect(logins.endAll(owner, { sameCommit: { guards: [missing], writes: [write] } })).rejects.toMatchObject({
    code: "record.not-found",
  });
  expect(await logins.authenticate(cookie)).toBeDefined();
  expect(await logins.endAll(owner, { sameCommit: { writes: [write] } })).toBe(1);
  expect(await store.select({ table: "passwords" })).toEqual([write.row]);
});

test("a session that begins while all sessions end does not survive", async () => {
  const { logins, owner, begin } = await setUp();
  await begin();
  const [late] = await Promise.all([begin(), logins.endAll(owner)]);
  // If the session began first, it has ended.
  const rows = await logins.list(owner);
  expect(rows.map(({ id }) => id).filter((id) => id !== late.id)).toEqual([]);
});

test("ending all sessions drops the agent's codes, and no others", async () => {
  const { logins, owner, other } = await setUp();
  const [mine, theirs] = [logins.offer(owner).code, logins.offer(other).code];
  await logins.endAll(owner);
  expect(await redeem(logins, mine)).toBeUndefined();
  expect(await redeem(logins, theirs)).toBeDefined();
});

test("a session whose guard fails is not created", async () => {
  const { store, logins, owner } = await setUp();
  const guard = { kind: "exists", table: "passwords", where: { agent: owner } } as const;
  expect(await logins.begin(owner, { about: "" }, { sameCommit: { guards: [guard] } })).toBeUndefined();
  await store.commit({ writes: [{ kind: "insert", table: "passwords", row: { agent: owner, hash: "h", at: 1 } }] });
  expect(await logins.begin(owner, { about: "" }, { sameCommit: { guards: [guard] } })).toBeDefined();
});

test("a session from a proving code proves identity for fifteen minutes, and no other session does", async () => {
  const { world, store, logins, owner, begin } = await setUp();
  const session = await redeem(logins, logins.offer(owner, { proves: true }).code);
  const plain = await redeem(logins, logins.offer(owner).code);
  expect([logins.isProof(session!.id), logins.isProof(plain!.id), logins.isProof((await begin()).id)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(openLogins(world, store).isProof(session!.id)).toBe(false);
  await world.advance(PROOF_MS - 1);
  expect(logins.isProof(session!.id)).toBe(true);
  await world.advance(1);
  expect(logins.isProof(session!.id)).toBe(false);
});

test("the number of proving sessions is limited: the oldest becomes an ordinary one", async () => {
  const { logins, owner } = await setUp();
  const sessions = [];
  for (let count = 0; count <= MAX_CODES; count += 1)
    sessions.push(await redeem(logins, logins.offer(owner, { proves: true }).code));
  expect(sessions.map((session) => logins.isProof(session!.id))).toEqual([false, ...Array(MAX_CODES).fill(true)]);
});

test("the number of sessions per agent is limited, and the oldest ends", async () => {
  const { world, logins, owner, begin } = await setUp();
  const first = await begin();
  for (let count = 1; count <= MAX_SESSIONS; count += 1) {
    await world.advance(1);
    await begin();
  }
  expect(await logins.list(owner)).toHaveLength(MAX_SESSIONS);
  expect(await logins.authenticate(first.cookie)).toBeUndefined();
});

test("a login without expired sessions is one commit", async () => {
  const { world, store, owner } = await setUp();
  let commits = 0;
  const logins = openLogins(world, { ...store, commit: (change) => ((commits += 1), store.commit(change)) });
  await logins.begin(owner, { about: "" });
  expect(commits).toBe(1);
  await world.advance(SESSION_MS);
  await logins.begin(owner, { about: "" });
  expect(commits).toBe(3);
});

test("a use is recorded with its address, at most every five minutes, and not in the audited columns", async () => {
  const { world, logins, owner } = await setUp();
  const session = await logins.begin(owner, { about: "Phone", peer: "203.0.113.5" });
  if (session === undefined) throw new Error("no session");
  const last = async () => (await logins.list(owner)).map(({ usedAt, address }) => [usedAt, address]);
  const begun = world.clock.now();
  await world.advance(USED_MS - 1);
  await logins.authenticate(session.cookie, "203.0.113.6");
  expect(await last()).toEqual([[begun, "203.0.113.5"]]);
  await world.advance(1);
  await Promise.all([1, 2, 3].map(() => logins.authenticate(session.cookie, "203.0.113.6")));
  expect(await last()).toEqual([[begun + USED_MS, "203.0.113.6"]]);
  await world.advance(USED_MS);
  await logins.authenticate(session.cookie);
  expect(await last()).toEqual([[begun + 2 * USED_MS, "203.0.113.6"]]);
});

test("requests at the same time record one use", async () => {
  const { world, store, owner } = await setUp();
  let commits = 0;
  const logins = openLogins(world, { ...store, commit: (change) => ((commits += 1), store.commit(change)) });
  const session = await logins.begin(owner, { about: "" });
  await world.advance(USED_MS);
  commits = 0;
  await Promise.all([1, 2, 3].map(() => logins.authenticate(session?.cookie ?? "")));
  expect(commits).toBe(1);
});

test("a full disk does not log anyone out", async () => {
  const { world, store, owner } = await setUp();
  let isFull = false;
  const commit: Store["commit"] = async (change) => {
    if (isFull) throw new HearthError("store.unavailable", "The disk is full.");
    return store.commit(change);
  };
  const logins = openLogins(world, { ...store, commit });
  const session = await logins.begin(owner, { about: "" });
  await world.advance(USED_MS);
  isFull = true;
  expect(await logins.authenticate(session?.cookie ?? "")).toMatchObject({ agent: owner });
});

test("a session has the name that its person gave it", async () => {
  const { world, logins, owner, other, begin } = await setUp();
  const { id } = await begin();
  expect(await logins.rename(owner, id, " Kitchen ")).toMatchObject({ id, name: "Kitchen" });
  expect(await logins.rename(other, id, "Mine")).toBeUndefined();
  expect(await logins.list(owner)).toMatchObject([{ name: "Kitchen" }]);
  expect(await logins.rename(owner, id, " ")).not.toHaveProperty("name");
  await world.advance(SESSION_MS);
  expect(await logins.rename(owner, id, "Old")).toBeUndefined();
});

test("A19: every login is an event in the log of its person, in the same commit", async () => {
  const { store, logins, owner } = await setUp();
  const session = await logins.begin(owner, { about: "Phone", peer: "203.0.113.5" });
  const events = await store.select({ table: "events", where: { stream: `agent:${owner}` } });
  expect(events.map(({ body }) => JSON.parse(body ?? ""))).toEqual([
    expect.objectContaining({
      by: owner,
      session: session?.id,
      about: "Phone",
      address: "203.0.113.5",
    }),
  ]);
  const guard = { kind: "exists", table: "passwords", where: { agent: owner } } as const;
  expect(await logins.begin(owner, { about: "" }, { sameCommit: { guards: [guard] } })).toBeUndefined();
  expect(await store.select({ table: "events" })).toHaveLength(1);
});

test("a code for another device lives as long as it was asked to", async () => {
  const { world, logins, owner } = await setUp();
  const [early, late] = [logins.offer(owner, { lifeMs: 1000 }), logins.offer(owner, { lifeMs: 1000 })];
  await world.advance(999);
  expect(await redeem(logins, early.code)).toBeDefined();
  await world.advance(1);
  expect(await redeem(logins, late.code)).toBeUndefined();
});
