import { plainSet } from "../../fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import type { AgentId, HouseId, RecordId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createIdentity } from "../../fixtures/identity.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "./found-house.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const open = async (pinned: (type: string, handle: string, field: string) => string | undefined = () => undefined) => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const house = await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records } = createIdentity({ world, store, streams, pinned });
  const owner = (await records.get("agent", "owner")).id;
  const create = (content: unknown) => records.mutate({ kind: "create", type: "agent", content }, owner);
  return { world, store, streams, house, records, owner, create };
};
const bot = (name: string) => ({ name, kind: "bot" });

test("a name becomes the handle, also in other scripts", async () => {
  const { create } = await open();
  expect(await create(bot("Archive Bot"))).toMatchObject({ handle: "archive-bot", version: 1 });
  expect(await create(bot("Küche & Garten"))).toMatchObject({ handle: "küche-garten" });
  expect(await create(bot("田中さん"))).toMatchObject({ handle: "田中さん" });
});

test("a name without a letter or digit is allowed, and the id becomes the handle", async () => {
  const { create } = await open();
  const { handle, content, id } = await create(bot("🙂"));
  expect(content.name).toBe("🙂");
  expect(handle).toBe(id.replace("_", "-"));
});

test("two agents of a house cannot share a handle, by creation or by renaming", async () => {
  const { create, records, owner } = await open();
  const { id } = await create(bot("One"));
  await create(bot("Two"));
  await expect(create(bot("two!"))).rejects.toMatchObject({ code: "record.handle-taken" });
  await expect(records.mutate({ kind: "update", id, content: { name: "TWO" } }, owner)).rejects.toMatchObject({
    code: "record.handle-taken",
  });
  expect(await records.get("agent", id)).toMatchObject({ handle: "one", version: 1 });
});

test("an agent and a room may share one", async () => {
  const { records, owner, create } = await open();
  await create(bot("Kitchen"));
  await expect(
    records.mutate({ kind: "create", type: "room", content: { name: "Kitchen" } }, owner),
  ).resolves.toMatchObject({
    handle: "kitchen",
  });
});

test("an update changes the given fields, removes those that are null, and increments the version", async () => {
  const { create, records, owner } = await open();
  const { id } = await create({ ...bot("One"), prompt: "short", description: "d" });
  const updated = await records.mutate({ kind: "update", id, content: { prompt: null, model: "a/b" } }, owner);
  expect(updated).toMatchObject({ version: 2, content: { name: "One", kind: "bot", description: "d", model: "a/b" } });
  expect(updated.content).not.toHaveProperty("prompt");
});

test("an update from an old version is refused", async () => {
  const { create, records, owner } = await open();
  const { id } = await create(bot("One"));
  await records.mutate({ kind: "update", id, version: 1, content: { description: "a" } }, owner);
  await expect(
    records.mutate({ kind: "update", id, version: 1, content: { description: "b" } }, owner),
  ).rejects.toMatchObject({
    code: "record.version",
  });
});

test("of two concurrent updates one fails", async () => {
  const { create, records, owner } = await open();
  const { id } = await create(bot("One"));
  const results = await Promise.allSettled(
    ["a", "b"].map((description) => records.mutate({ kind: "update", id, content: { description } }, owner)),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await records.get("agent", id)).toMatchObject({ version: 2 });
});

test.each([
  [{ name: "", kind: "bot" }, "name"],
  [{ name: "   ", kind: "bot" }, "name"],
  [{ name: "x".repeat(201), kind: "bot" }, "name"],
  [{ name: "\ud800", kind: "bot" }, "name"],
  [{ name: "A", kind: "robot" }, "kind"],
  [{ name: "A", kind: "bot", model: "no-provider" }, "model"],
  [{ name: "A", kind: "bot", colour: "red" }, "colour"],
  [{ name: "A", kind: "bot", timezone: "Mars/Olympus" }, "timezone"],
  [{ name: "A", kind: "bot", tools: ["read", "reed"] }, "reed"],
  ["text", "agent"],
  [null, "agent"],
])("invalid content is refused with its field: %j", async (content, word) => {
  const { create } = await open();
  await expect(create(content)).rejects.toMatchObject({
    code: "record.invalid",
    message: expect.stringContaining(word),
  });
});

test.each([
  ["a\u0000b", "U+0000", "a control character", "ab"],
  ["two\nlines", "U+000A", "a control character", "twolines"],
  ["\u001b[31mred", "U+001B", "a control character", "[31mred"],
  ["evil\u202egnp", "U+202E", "which changes the text direction", "evilgnp"],
  ["Ana\u2066", "U+2066", "which changes the text direction", "Ana"],
  ["Ma\u200bin", "U+200B", "which is invisible", "Main"],
  ["Ana\u200d", "U+200D", "which is invisible", "Ana"],
  ["Ana\ufe0f", "U+FE0F", "which is invisible", "Ana"],
  ["Ana\u{e0061}", "U+E0061", "which is invisible", "Ana"],
  ["\u3164", "U+3164", "which is invisible", ""],
  ["\u{1f642}\ufe0f\ufe0f", "U+FE0F", "which is invisible", "\u{1f642}\ufe0f"],
])("a name with invisible characters is refused at creation and at change: %j", async (name, point, why, left) => {
  const { create, records, owner, house } = await open();
  const refused = {
    code: "record.invalid",
    message: `agent: name contains ${point}, ${why}.`,
    hint: `Remove it: ${JSON.stringify(left)}. Letters of any script and emoji are allowed.`,
  };
  await expect(create(bot(name))).rejects.toMatchObject(refused);
  const { id } = await create(bot("One"));
  await expect(records.mutate({ kind: "update", id, content: { name } }, owner)).rejects.toMatchObject(refused);
  for (const [type, content] of [["room", { name }] as const, ["house", { name }] as const])
    await expect(records.mutate({ kind: "create", type, content }, owner)).rejects.toMatchObject({
      message: `${type}: name contains ${point}, ${why}.`,
    });
  expect(await records.list("agent", house)).toHaveLength(3);
});

test.each([
  "Küche & Garten",
  "مریم می\u200cخواهم",
  "שרה",
  "क्\u200dष",
  "田中さん 葛\u{e0100}",
  "👨\u200d👩\u200d👧 family",
  "❤\ufe0f\u200d🔥",
  "1\ufe0f\u20e3 first",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "👍🏽",
  "Zoë\u00a0B",
])("a name of any script and with any emoji is kept unchanged: %j", async (name) => {
  const { create } = await open();
  expect((await create(bot(name))).content.name).toBe(name);
});

test("an older record keeps a name that is no longer allowed, and can be renamed", async () => {
  const { create, records, store, owner } = await open();
  const { id, content } = await create(bot("One"));
  const name = "O\u202ene";
  const set = plainSet("records", { content: JSON.stringify({ ...content, name }) });
  await store.commit({ writes: [{ kind: "update", table: "records", where: { id }, set }] });
  const update = (more: object) => records.mutate({ kind: "update", id, content: { ...more } }, owner);
  expect((await update({ description: "d" })).content).toMatchObject({ name, description: "d" });
  expect((await update({ name: "Two" })).content.name).toBe("Two");
});

describe("a direct room", () => {
  const setUp = async () => {
    const all = await open();
    const { records, owner, create } = all;
    const agent = (await create(bot("Scout"))).id as AgentId;
    const makeRoom = (name: string, more: object = { kind: "direct", members: [owner, agent] }) =>
      records.mutate({ kind: "create", type: "room", content: { name, ...more } }, owner);
    const rename = (id: RecordId, name: string) => records.mutate({ kind: "update", id, content: { name } }, owner);
    return { ...all, agent, makeRoom, rename };
  };

  test("is renamed with its agent, in the same change, if it has the agent's name", async () => {
    const { agent, makeRoom, rename, records, streams, house, owner } = await setUp();
    const { id } = await makeRoom("Scout");
    await rename(agent, "Finder");
    expect(await records.get("room", id)).toMatchObject({ handle: "finder", version: 2, content: { name: "Finder" } });
    const log = await streams.read(`house:${house}`, 0, 100);
    expect(log.slice(-2)).toMatchObject([
      { type: "record-changed", change: "updated", by: owner, record: { id: agent, handle: "finder" } },
      { type: "record-changed", change: "updated", by: owner, record: { id, handle: "finder", version: 2 } },
    ]);
    await rename(agent, "FINDER");
    expect((await records.get("room", id)).content.name).toBe("FINDER");
    await rename(id, "Our talk");
    await rename(agent, "Scout");
    expect((await records.get("room", id)).content.name).toBe("Our talk");
  });

  test("gets the longer name if another room has the shorter one, and follows its person's name too", async () => {
    const { agent, makeRoom, rename, records, owner } = await setUp();
    const { id } = await makeRoom("Scout");
    await makeRoom("Finder", {});
    await rename(agent, "Finder");
    expect((await records.get("room", id)).content.name).toBe("Finder and Owner");
    await rename(owner, "Ana");
    expect((await records.get("room", id)).content.name).toBe("Finder and Ana");
  });

  test("keeps its name if it is changed at the same time, and the agent is renamed nevertheless", async () => {
    const { agent, makeRoom, rename, records, owner } = await setUp();
    const { id } = await makeRoom("Scout");
    await Promise.all([
      rename(agent, "Finder"),
      records.mutate({ kind: "update", id, content: { description: "d" } }, owner),
    ]);
    expect(await records.get("agent", agent)).toMatchObject({ handle: "finder", version: 2 });
    expect((await records.get("room", id)).content).toMatchObject({ name: "Scout", description: "d" });
  });

  test("keeps its name if another direct room of the agent gets the same new handle", async () => {
    const { agent, makeRoom, rename, records, create } = await setUp();
    // Names without a letter add nothing to a handle.
    const people = [];
    for (const name of ["🙂", "🎉"]) people.push((await create({ name, kind: "human" })).id);
    const members = people.map((person) => ({ kind: "direct", members: [person, agent] }));
    const first = await makeRoom("Scout", members[0]);
    const second = await makeRoom("Scout and 🎉", members[1]);
    await makeRoom("Finder", {});
    await rename(agent, "Finder");
    const namesOf = async () =>
      Promise.all([first, second].map(async ({ id }) => (await records.get("room", id)).content.name));
    expect(await namesOf()).toEqual(["Finder and 🙂", "Scout and 🎉"]);
  });

  test("keeps its name if no new one is free, and a group always does", async () => {
    const { agent, makeRoom, rename, records } = await setUp();
    const [direct, group] = [await makeRoom("Scout"), await makeRoom("Scout team", {})];
    for (const name of ["Finder", "Finder and Owner"]) await makeRoom(name, {});
    await rename(agent, "Finder");
    expect((await records.get("room", direct.id)).content.name).toBe("Scout");
    await rename(agent, "Scout team");
    expect((await records.get("room", group.id)).content.name).toBe("Scout team");
  });
});

test("every change is in the house's log, with its author", async () => {
  const { create, records, owner, streams, house } = await open();
  const { id } = await create(bot("One"));
  await records.mutate({ kind: "update", id, content: { description: "d" } }, owner);
  await records.mutate({ kind: "remove", id }, owner);
  const log = await streams.read(`house:${house}`, 4, 10);
  expect(log).toMatchObject(
    ["created", "updated", "removed"].map((change) => ({ type: "record-changed", change, by: owner, record: { id } })),
  );
});

test("an unknown name is reported with the known ones", async () => {
  const { records } = await open();
  await expect(records.get("agent", "mian")).rejects.toMatchObject({
    code: "record.not-found",
    message: 'There is no agent "mian".',
    hint: "Available: owner, main",
  });
});

test("an agent cannot remove itself or a house, and a record of an unknown house is refused", async () => {
  const { records, owner, house } = await open();
  await expect(records.mutate({ kind: "remove", id: owner }, owner)).rejects.toMatchObject({ code: "record.invalid" });
  await expect(records.mutate({ kind: "remove", id: house }, owner)).rejects.toMatchObject({ code: "record.invalid" });
  const elsewhere = `house_${"0".repeat(26)}` as HouseId;
  await expect(
    records.mutate({ kind: "create", type: "room", house: elsewhere, content: { name: "R" } }, owner),
  ).rejects.toMatchObject({
    code: "record.not-found",
  });
});

test("a pinned field is refused with the place of the pin, others are not", async () => {
  const { records, owner } = await open((type, handle, field) =>
    `${type} ${handle} ${field}` === "agent main model" ? "hearth.toml line 7" : undefined,
  );
  const { id } = await records.get("agent", "main");
  await expect(records.mutate({ kind: "update", id, content: { model: "a/b" } }, owner)).rejects.toMatchObject({
    code: "record.pinned",
    message: '"model" of agent main is set in hearth.toml line 7.',
  });
  await expect(records.mutate({ kind: "update", id, content: { description: "d" } }, owner)).resolves.toMatchObject({
    version: 2,
  });
});

test("ids sort in creation order, and so do lists", async () => {
  const { create, records } = await open();
  const made = [await create(bot("One")), await create(bot("Two")), await create(bot("Three"))];
  const ids = made.map(({ id }) => id as AgentId);
  expect([...ids].sort()).toEqual(ids);
  expect((await records.list("agent")).slice(2).map(({ id }) => id)).toEqual(ids);
});

test("an additional write that conflicts is a bug, and is not reported as a taken name", async () => {
  const { records, owner, house, store } = await open();
  const write = { kind: "insert", table: "readers", row: { reader: "r", stream: "s", offset: 1 } } as const;
  await store.commit({ writes: [write] });
  const created = records.mutate(
    { kind: "create", type: "agent", house, content: bot("One"), sameCommit: () => ({ writes: [write] }) },
    owner,
  );
  await expect(created).rejects.toThrow(/additional write .* conflicts in readers/);
  expect(await records.find("agent", "one")).toBeUndefined();
});
