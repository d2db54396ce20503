import { expect, test } from "bun:test";
import type { AgentId, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryStore } from "../store/memory.ts";
import { createIdentity } from "../fixtures/identity.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createDurableStreams } from "../streams/durable.ts";
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
  return { world, streams, house, records, owner, create };
};
const bot = (name: string) => ({ name, kind: "bot" });

test("a name becomes the handle, also in other scripts", async () => {
  const { create } = await open();
  expect(await create(bot("Archive Bot"))).toMatchObject({ handle: "archive-bot", version: 1 });
  expect(await create(bot("Küche & Garten"))).toMatchObject({ handle: "küche-garten" });
  expect(await create(bot("田中さん"))).toMatchObject({ handle: "田中さん" });
});

test("a name without a letter or digit is kept, and the id serves as handle", async () => {
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

test("an update changes what it names, takes away what is null, and counts the version", async () => {
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

test("two updates at once do not overwrite each other unseen", async () => {
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
])("content that is wrong is refused with its field: %j", async (content, word) => {
  const { create } = await open();
  await expect(create(content)).rejects.toMatchObject({
    code: "record.invalid",
    message: expect.stringContaining(word),
  });
});

test("every change stands in the house's log, with who did it", async () => {
  const { create, records, owner, streams, house } = await open();
  const { id } = await create(bot("One"));
  await records.mutate({ kind: "update", id, content: { description: "d" } }, owner);
  await records.mutate({ kind: "remove", id }, owner);
  const log = await streams.read(`house:${house}`, 4, 10);
  expect(log).toMatchObject(
    ["created", "updated", "removed"].map((change) => ({ type: "record-changed", change, by: owner, record: { id } })),
  );
});

test("what is not there is said with what there is", async () => {
  const { records } = await open();
  await expect(records.get("agent", "mian")).rejects.toMatchObject({
    code: "record.not-found",
    message: 'There is no agent "mian".',
    hint: "There are: owner, main",
  });
});

test("nobody can remove themselves or a house, and a record of a house that is not there is refused", async () => {
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

test("a pinned field is refused with the place of the pin, others are free", async () => {
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

test("ids sort in the order of creation, and lists come in it", async () => {
  const { create, records } = await open();
  const made = [await create(bot("One")), await create(bot("Two")), await create(bot("Three"))];
  const ids = made.map(({ id }) => id as AgentId);
  expect([...ids].sort()).toEqual(ids);
  expect((await records.list("agent")).slice(2).map(({ id }) => id)).toEqual(ids);
});
