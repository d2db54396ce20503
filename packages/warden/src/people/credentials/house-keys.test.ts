import { expect, test } from "bun:test";
import type { AgentRecord, HouseId, KeyScope, RoomRecord } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createKeys } from "./house-keys.ts";
import { toRow } from "../records/record-rows.ts";

const { hash } = createBunWorld();
const HOUR_MS = 60 * 60 * 1000;

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const { store, defer } = createDeferringStore(createMemoryStore());
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const house: HouseId = world.ids.fresh("house");
  const agent = async (handle: string) => {
    const base = { house, handle, version: 1, createdAt: 0, updatedAt: 0 };
    const record: AgentRecord = {
      ...base,
      type: "agent",
      id: world.ids.fresh("agent"),
      content: { name: handle, kind: "human" },
    };
    await store.commit({ writes: [{ kind: "insert", table: "records", row: toRow(record) }] });
    return record.id;
  };
  const room = async (handle: string, where: HouseId) => {
    const record: RoomRecord = {
      ...{ type: "room", id: world.ids.fresh("room"), house: where, handle, version: 1, createdAt: 0, updatedAt: 0 },
      content: { name: handle, kind: "group" },
    };
    await store.commit({ writes: [{ kind: "insert", table: "records", row: toRow(record) }] });
    return record.id;
  };
  await store.commit({
    writes: [
      {
        ...{ kind: "insert", table: "records" },
        row: toRow({
          ...{ type: "house", id: house, house, handle: "home", version: 1, createdAt: 0, updatedAt: 0 },
          content: { name: "home", timezone: "UTC" },
        }),
      },
    ],
  });
  const keys = createKeys({ world, store, streams, defer, house });
  return {
    world,
    store,
    keys,
    house,
    hall: await room("hall", house),
    elsewhere: await room("elsewhere", world.ids.fresh("house")),
    owner: await agent("owner"),
    bot: await agent("bot"),
    log: () => streams.read(`house:${house}`, 0, 100),
  };
};

test("a key whose name has invisible characters is not created", async () => {
  const { keys, owner } = await setUp();
  await expect(keys.create({ name: "lap\u200btop", agent: owner }, { agent: owner })).rejects.toMatchObject({
    code: "request.invalid",
    message: "A key's name contains U+200B, which is invisible.",
  });
});

test("a key is 32 random bytes after a prefix, and different each time", async () => {
  const { keys, owner } = await setUp();
  const [first, second] = [
    await keys.create({ name: "one", agent: owner }, { agent: owner }),
    await keys.create({ name: "other", agent: owner }, { agent: owner }),
  ];
  for (const { key } of [first, second]) expect(key).toMatch(/^hearth_[A-Za-z0-9_-]{43}$/);
  expect(first.key).not.toBe(second.key);
  expect(first.id).not.toBe(second.id);
});

test("a key authenticates its agent, and similar texts do not", async () => {
  const { keys, owner, bot } = await setUp();
  const { key, id } = await keys.create({ name: "bot's", agent: bot }, { agent: owner });
  expect(await keys.authenticate(key)).toEqual({ agent: bot, via: "key", key: id });
  const near = [
    key.slice(0, -1),
    `${key}x`,
    key.toUpperCase(),
    key.slice("hearth_".length),
    ` ${key}`,
    id,
    hash(key),
    "",
    "hearth_",
  ];
  for (const text of near) expect([text, await keys.authenticate(text)]).toEqual([text, undefined]);
});

test("no key is stored as text", async () => {
  const { store, keys, owner, log } = await setUp();
  const { key } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  const kept = JSON.stringify([await store.select({ table: "keys" }), await keys.list(), await log()]);
  expect(kept).not.toContain(key.slice("hearth_".length));
});

test("keys are listed in creation order, with the fields that people may see", async () => {
  const { world, keys, owner, bot } = await setUp();
  const first = await keys.create({ name: "first", agent: owner }, { agent: owner });
  await world.advance(5);
  const second = await keys.create({ name: "second", agent: bot }, { agent: owner });
  expect(await keys.list()).toEqual([
    { id: first.id, name: "first", agent: owner, createdAt: world.clock.now() - 5 },
    { id: second.id, name: "second", agent: bot, createdAt: world.clock.now() },
  ]);
});

test("a revoked key fails at its next use, and stays listed", async () => {
  const { world, keys, owner } = await setUp();
  const { key, id } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  const other = await keys.create({ name: "other", agent: owner }, { agent: owner });
  await keys.revoke(id, owner);
  expect(await keys.authenticate(key)).toBeUndefined();
  expect(await keys.authenticate(other.key)).toBeDefined();
  expect((await keys.list())[0]).toMatchObject({ id, revokedAt: world.clock.now() });
});

test("revoking twice, also concurrently, is one revocation", async () => {
  const { world, keys, owner, log } = await setUp();
  const { id } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  const [first, second] = await Promise.all([keys.revoke(id, owner), keys.revoke(id, owner)]);
  await world.advance(1000);
  expect([second, await keys.revoke(id, owner)]).toEqual([first, first]);
  expect((await log()).map(({ type }) => type)).toEqual(["key-created", "key-revoked"]);
});

test("the house's log names who created and who revoked a key, in the same commit", async () => {
  const { store, keys, owner, bot, log } = await setUp();
  const { id } = await keys.create({ name: "bot's", agent: bot }, { agent: owner });
  await keys.revoke(id, bot);
  expect(await log()).toMatchObject([
    { type: "key-created", by: owner, key: id, agent: bot, name: "bot's" },
    { type: "key-revoked", by: bot, key: id },
  ]);
  expect(await store.select({ table: "keys" })).toHaveLength(1);
});

test("an unknown agent gets no key, and no event is written", async () => {
  const { world, keys, owner, log } = await setUp();
  await expect(keys.create({ name: "one", agent: world.ids.fresh("agent") }, { agent: owner })).rejects.toMatchObject({
    code: "record.not-found",
  });
  expect([await keys.list(), await log()]).toEqual([[], []]);
});

test("revoking an unknown key fails", async () => {
  const { world, keys, owner } = await setUp();
  await expect(keys.revoke(world.ids.fresh("key"), owner)).rejects.toMatchObject({ code: "record.not-found" });
});

test("the key of a removed agent fails", async () => {
  const { store, keys, owner, bot } = await setUp();
  const { key } = await keys.create({ name: "bot's", agent: bot }, { agent: owner });
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: bot } }] });
  expect(await keys.authenticate(key)).toBeUndefined();
});

test("a key has its scope and its end, and fails after that", async () => {
  const { world, keys, owner, bot, hall } = await setUp();
  const scope: KeyScope = { level: "r", on: [hall] };
  const expiresAt = world.clock.now() + 1000;
  const { key, id } = await keys.create({ name: "reader", agent: bot, scope, expiresAt }, { agent: owner });
  expect(await keys.list()).toEqual([
    { id, name: "reader", agent: bot, scope, createdAt: world.clock.now(), expiresAt },
  ]);
  await world.advance(999);
  expect(await keys.authenticate(key)).toEqual({ agent: bot, via: "key", key: id, scope, until: expiresAt });
  await world.advance(1);
  expect(await keys.authenticate(key)).toBeUndefined();
  expect((await keys.list()).map(({ id: listed }) => listed)).toEqual([id]);
});

test("a key with a past end, or for an unknown place, is not created", async () => {
  const { world, keys, owner } = await setUp();
  const make = (more: object) => keys.create({ name: "one", agent: owner, ...more }, { agent: owner });
  await expect(make({ expiresAt: world.clock.now() })).rejects.toMatchObject({ code: "request.invalid" });
  const nowhere = world.ids.fresh("room");
  await expect(make({ scope: { level: "r", on: [nowhere] } })).rejects.toMatchObject({ code: "record.not-found" });
  expect(await keys.list()).toEqual([]);
});

test("a key cannot create one with more rights: a higher level, another place, all places, or a later end", async () => {
  const { world, keys, owner, house, hall, elsewhere } = await setUp();
  const until = world.clock.now() + 1000;
  const by = { agent: owner, scope: { level: "w", on: [house] } satisfies KeyScope, until };
  const make = (scope: KeyScope | undefined, expiresAt: number | undefined) =>
    keys.create(
      {
        ...{ name: "child", agent: owner },
        ...(scope === undefined ? {} : { scope }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      },
      by,
    );
  for (const [scope, expiresAt] of [
    [{ level: "x", on: [house] }, until],
    [{ level: "r", on: [elsewhere] }, until],
    [{ level: "r", on: [hall, elsewhere] }, until],
    [{ level: "r" }, until],
    [undefined, until],
    [{ level: "w", on: [house] }, until + 1],
    [{ level: "w", on: [house] }, undefined],
  ] as const)
    await expect(make(scope as KeyScope | undefined, expiresAt)).rejects.toMatchObject({ code: "grant.exceeds" });
  expect(await keys.list()).toEqual([]);
  await make({ level: "w", on: [house] }, until);
  await make({ level: "r", on: [hall] }, until - 1);
  expect(await keys.list()).toHaveLength(2);
});

test("a key for one level everywhere can create keys for that level anywhere, and a room's key cannot create one for its house", async () => {
  const { keys, owner, house, hall } = await setUp();
  const make = (scope: KeyScope, by: KeyScope) =>
    keys.create({ name: "child", agent: owner, scope }, { agent: owner, scope: by });
  await make({ level: "w", on: [hall] }, { level: "w" });
  await make({ level: "w" }, { level: "w" });
  await expect(make({ level: "r", on: [house] }, { level: "x", on: [hall] })).rejects.toMatchObject({
    code: "grant.exceeds",
  });
  await expect(make({ level: "x" }, { level: "w" })).rejects.toMatchObject({ code: "grant.exceeds" });
  await make({ level: "r", perMinute: 5 }, { level: "w" });
  // Several keys would together send more.
  await expect(make({ level: "r", perMinute: 5 }, { level: "w", perMinute: 5 })).rejects.toMatchObject({
    code: "grant.exceeds",
  });
});

test("a key is looked up only by its hash, whatever its length or similarity to a valid one", async () => {
  const { store, keys, owner } = await setUp();
  const { key } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  const read: unknown[] = [];
  const watched = createKeys({
    ...{
      world: createFakeWorld({ hash }),
      streams: undefined as never,
      defer: undefined as never,
      house: "house_0" as HouseId,
    },
    store: {
      ...store,
      select(query) {
        read.push(query);
        return store.select(query);
      },
    },
  });
  for (const text of [key.slice(0, -1), `${key}x`, "", "x".repeat(500)]) {
    read.splice(0);
    expect(await watched.authenticate(text)).toBeUndefined();
    expect(read).toEqual([
      { table: "keys", where: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), revoked_at: null } },
    ]);
  }
});

test("a key for a room creates keys for that room, and for no other place", async () => {
  const { keys, bot, owner, hall, house, elsewhere } = await setUp();
  const by = { agent: owner, scope: { level: "w" as const, on: [hall] } };
  const create = (on: KeyScope["on"]) =>
    keys.create({ name: "key", agent: bot, scope: { level: "r", ...(on === undefined ? {} : { on }) } }, by);
  expect((await create([hall])).scope).toEqual({ level: "r", on: [hall] });
  for (const on of [[house], [elsewhere], [hall, elsewhere], undefined])
    await expect(create(on)).rejects.toMatchObject({ code: "grant.exceeds" });
});

test("A5: a key creates no key with a right that it does not have", async () => {
  const { keys, owner, bot } = await setUp();
  const codeOf = async (own: KeyScope, asked: KeyScope): Promise<string> =>
    keys.create({ name: "k", agent: bot, scope: asked }, { agent: owner, scope: own }).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
  const audit: KeyScope = { level: "r", rights: ["audit"] };
  expect(await codeOf(audit, audit)).toBe("done");
  expect(await codeOf(audit, { level: "r" })).toBe("done");
  expect(await codeOf({ level: "x" }, audit)).toBe("done");
  expect(await codeOf(audit, { level: "r", rights: ["audit", "secrets"] })).toBe("grant.exceeds");
  expect(await codeOf({ level: "w" }, audit)).toBe("grant.exceeds");
});

test("a use of a key is listed, recorded at most once an hour, and written with the next commit", async () => {
  const { world, store, keys, owner, bot } = await setUp();
  const { key, id } = await keys.create({ name: "one", agent: bot }, { agent: owner });
  expect((await keys.list())[0]).not.toHaveProperty("usedAt");
  const first = world.clock.now();
  await keys.authenticate(key);
  expect((await keys.list())[0]).toMatchObject({ id, usedAt: first });
  expect(await store.select({ table: "key_uses" })).toEqual([]);
  await world.advance(HOUR_MS - 1);
  await keys.authenticate(key);
  await keys.create({ name: "other", agent: bot }, { agent: owner });
  expect(await store.select({ table: "key_uses" })).toEqual([{ id, agent: bot, used_at: first }]);
  await world.advance(1);
  await keys.authenticate(key);
  expect((await keys.list())[0]).toMatchObject({ usedAt: first + HOUR_MS });
});

test("a use that waits for a commit does not restore a key that this commit revokes", async () => {
  const { store, keys, owner } = await setUp();
  const { key, id } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  await keys.authenticate(key);
  await keys.revoke(id, owner);
  expect(await store.select({ table: "key_uses" })).toHaveLength(1);
  expect(await keys.authenticate(key)).toBeUndefined();
});

test("the last use of a key is read from the store after a restart", async () => {
  const { world, store, keys, owner, house } = await setUp();
  const { key } = await keys.create({ name: "one", agent: owner }, { agent: owner });
  const usedAt = world.clock.now();
  await keys.authenticate(key);
  await keys.create({ name: "other", agent: owner }, { agent: owner });
  const reopened = createKeys({ world, store, streams: undefined as never, defer: undefined as never, house });
  expect((await reopened.list())[0]).toMatchObject({ usedAt });
});
