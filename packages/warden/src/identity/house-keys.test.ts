import { expect, test } from "bun:test";
import type { AgentRecord, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { createDurableStreams } from "../streams/durable.ts";
import { createKeys } from "./house-keys.ts";
import { toRow } from "./record-rows.ts";

const { hash } = createBunWorld();

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
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
  const keys = createKeys({ world, store, streams, house });
  return {
    world,
    store,
    keys,
    owner: await agent("owner"),
    bot: await agent("bot"),
    log: () => streams.read(`house:${house}`, 0, 100),
  };
};

test("a key is 32 random bytes behind a prefix, and another one each time", async () => {
  const { keys, owner } = await setUp();
  const [one, other] = [await keys.create("one", owner, owner), await keys.create("other", owner, owner)];
  for (const { key } of [one, other]) expect(key).toMatch(/^hearth_[A-Za-z0-9_-]{43}$/);
  expect(one.key).not.toBe(other.key);
  expect(one.id).not.toBe(other.id);
});

test("a key stands for its agent, and nothing near it does", async () => {
  const { keys, owner, bot } = await setUp();
  const { key, id } = await keys.create("bot's", bot, owner);
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

test("no text of a key is kept anywhere", async () => {
  const { store, keys, owner, log } = await setUp();
  const { key } = await keys.create("one", owner, owner);
  const kept = JSON.stringify([await store.select({ table: "keys" }), await keys.list(), await log()]);
  expect(kept).not.toContain(key.slice("hearth_".length));
});

test("keys are listed in the order they were made, with what a person may know", async () => {
  const { world, keys, owner, bot } = await setUp();
  const first = await keys.create("first", owner, owner);
  await world.advance(5);
  const second = await keys.create("second", bot, owner);
  expect(await keys.list()).toEqual([
    { id: first.id, name: "first", agent: owner, createdAt: world.clock.now() - 5 },
    { id: second.id, name: "second", agent: bot, createdAt: world.clock.now() },
  ]);
});

test("a revoked key stands for nobody on the very next use, and stays listed", async () => {
  const { world, keys, owner } = await setUp();
  const { key, id } = await keys.create("one", owner, owner);
  const other = await keys.create("other", owner, owner);
  await keys.revoke(id, owner);
  expect(await keys.authenticate(key)).toBeUndefined();
  expect(await keys.authenticate(other.key)).toBeDefined();
  expect((await keys.list())[0]).toMatchObject({ id, revokedAt: world.clock.now() });
});

test("revoking twice, also at once, is one revocation", async () => {
  const { world, keys, owner, log } = await setUp();
  const { id } = await keys.create("one", owner, owner);
  const [first, second] = await Promise.all([keys.revoke(id, owner), keys.revoke(id, owner)]);
  await world.advance(1000);
  expect([second, await keys.revoke(id, owner)]).toEqual([first, first]);
  expect((await log()).map(({ type }) => type)).toEqual(["key-created", "key-revoked"]);
});

test("the house's log tells who made and who revoked a key, in the same commit", async () => {
  const { store, keys, owner, bot, log } = await setUp();
  const { id } = await keys.create("bot's", bot, owner);
  await keys.revoke(id, bot);
  expect(await log()).toMatchObject([
    { type: "key-created", by: owner, key: id, agent: bot, name: "bot's" },
    { type: "key-revoked", by: bot, key: id },
  ]);
  expect(await store.select({ table: "keys" })).toHaveLength(1);
});

test("an agent that is not there gets no key, and no event tells of one", async () => {
  const { world, keys, owner, log } = await setUp();
  await expect(keys.create("one", world.ids.fresh("agent"), owner)).rejects.toMatchObject({ code: "record.not-found" });
  expect([await keys.list(), await log()]).toEqual([[], []]);
});

test("revoking a key that is not there says so", async () => {
  const { world, keys, owner } = await setUp();
  await expect(keys.revoke(world.ids.fresh("key"), owner)).rejects.toMatchObject({ code: "record.not-found" });
});

test("the key of an agent that was removed stands for nobody", async () => {
  const { store, keys, owner, bot } = await setUp();
  const { key } = await keys.create("bot's", bot, owner);
  await store.commit({ writes: [{ kind: "delete", table: "records", where: { id: bot } }] });
  expect(await keys.authenticate(key)).toBeUndefined();
});
