import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createIdentity } from "../../fixtures/identity.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "../records/found-house.ts";
import { createChats } from "./chats.ts";
import { createRooms } from "./house-rooms.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records, permissions } = createIdentity({ world, store, streams });
  const chats = createChats({ world, store, records, streams });
  const uploads = createTestUploads({ world, store });
  const rooms = createRooms({ world, records, permissions, streams, uploads, chats });
  const owner = (await records.get("agent", "owner")).id;
  const bot = (await records.get("agent", "main")).id;
  const titleOf = async (room: RoomId) => (await records.get("room", room)).content;
  return { store, streams, records, permissions, chats, rooms, owner, bot, titleOf };
};

test("a new chat is another direct room of the same two members, and the first one stays the default", async () => {
  const { rooms, chats, permissions, owner, bot } = await open();
  const first = await rooms.direct(owner, bot);
  const chat = await chats.begin(owner, bot);
  expect(chat.id).not.toBe(first.id);
  expect(chat.handle).toBe("main-2");
  expect(chat.content).toMatchObject({ kind: "direct", titleFrom: "next" });
  expect([...(chat.content.members ?? [])].sort()).toEqual([...(first.content.members ?? [])].sort());
  expect(await permissions.readers([chat])).toEqual(await permissions.readers([first]));
  expect((await rooms.direct(owner, bot)).id).toBe(first.id);
});

test("a chat without a message is used again, and a used one is not", async () => {
  const { rooms, chats, owner, bot } = await open();
  const chat = await chats.begin(owner, bot);
  expect((await chats.begin(owner, bot)).id).toBe(chat.id);
  await rooms.post(chat.id, { text: "hello" }, owner);
  const next = await chats.begin(owner, bot);
  expect([next.id === chat.id, next.handle]).toEqual([false, "main-3"]);
});

test("a pin and an archive at the same time are both kept", async () => {
  const { rooms, chats, owner, bot } = await open();
  const { id } = await rooms.direct(owner, bot);
  for (const isSet of [true, false]) {
    await Promise.all([chats.setView(owner, id, { pinned: isSet }), chats.setView(owner, id, { archived: isSet })]);
    const [view] = (await chats.views(owner)).views;
    expect([view?.pinnedAt !== undefined, view?.archivedHead !== undefined]).toEqual([isSet, isSet]);
  }
});

test("the first message with a word gives a new chat its title; later ones and commands give none", async () => {
  const { rooms, chats, owner, bot, titleOf } = await open();
  const { id } = await chats.begin(owner, bot);
  await rooms.post(id, { text: "/new" }, owner);
  await rooms.post(id, { text: "?!" }, owner);
  expect(await titleOf(id)).toMatchObject({ titleFrom: "next" });
  const named = await rooms.post(id, { text: "**Plan** a trip\u202e\nto Rome" }, owner);
  await rooms.post(id, { text: "something else" }, owner);
  expect(await titleOf(id)).toMatchObject({ title: "Plan a trip", titleFrom: named.id, name: "Main 2" });
  const first = await rooms.direct(owner, bot);
  await rooms.post(first.id, { text: "hello" }, owner);
  expect((await titleOf(first.id)).title).toBeUndefined();
});

test("an edit of the message changes the title that it gave, and its deletion removes it", async () => {
  const { rooms, chats, owner, bot, titleOf } = await open();
  const { id } = await chats.begin(owner, bot);
  const first = await rooms.post(id, { text: "a secret" }, owner);
  await rooms.edit(id, first.id, "a plan", owner);
  expect((await titleOf(id)).title).toBe("a plan");
  await rooms.remove(id, first.id, owner);
  expect(await titleOf(id)).not.toHaveProperty("title");
  await rooms.post(id, { text: "the next one" }, owner);
  expect((await titleOf(id)).title).toBe("the next one");
});

test("a title that a person chose stays, whatever happens to messages", async () => {
  const { rooms, chats, records, owner, bot, titleOf } = await open();
  const chat = await chats.begin(owner, bot);
  await chats.rename(chat, "Rome", owner);
  const message = await rooms.post(chat.id, { text: "hello" }, owner);
  await rooms.remove(chat.id, message.id, owner);
  expect((await titleOf(chat.id)).title).toBe("Rome");
  await chats.rename(await records.get("room", chat.id), null, owner);
  expect(await titleOf(chat.id)).not.toHaveProperty("title");
});

test("a title has no hidden characters, and a group room has none", async () => {
  const { chats, records, owner, bot } = await open();
  const chat = await chats.begin(owner, bot);
  await expect(chats.rename(chat, "a\u202eb", owner)).rejects.toMatchObject({ code: "record.invalid" });
  const content = { name: "Group" };
  const group = await records.mutate({ kind: "create", type: "room", content }, owner);
  await expect(chats.rename(group as never, "x", owner)).rejects.toMatchObject({
    code: "record.invalid",
    message: "Group is not a direct room and has no title.",
    hint: "Change its name: hearth room edit group --name NAME",
  });
});

test("a view is one person's own, and its change is in that person's log", async () => {
  const { chats, streams, owner, bot, rooms, records } = await open();
  const ben = await records.mutate({ kind: "create", type: "agent", content: { name: "Ben", kind: "human" } }, owner);
  const { id: room } = await rooms.direct(owner, bot);
  const before = await chats.views(owner);
  expect(await chats.setView(owner, room, { pinned: true })).toMatchObject({ room, pinnedAt: expect.any(Number) });
  const after = await chats.views(owner);
  expect([after.views.length, (await chats.views(ben.id as typeof owner)).views.length]).toEqual([1, 0]);
  expect(await streams.read(`agent:${owner}`, before.head, 10)).toMatchObject([
    { type: "room-view-changed", view: after.views[0] as never },
  ]);
  expect(after.head).toBe(before.head + 1);
  expect(await chats.setView(owner, room, { pinned: false })).toEqual({ room });
  expect((await chats.views(owner)).views).toEqual([]);
});

test("an archived room comes back with its next event, and stays pinned", async () => {
  const { chats, owner, bot, rooms } = await open();
  const { id: room } = await rooms.direct(owner, bot);
  await rooms.post(room, { text: "one" }, owner);
  await chats.setView(owner, room, { pinned: true });
  await chats.setView(owner, room, { archived: true });
  expect((await chats.views(owner)).views).toMatchObject([{ archivedHead: 1 }]);
  await rooms.post(room, { text: "two" }, owner);
  const [view] = (await chats.views(owner)).views;
  expect(view).toHaveProperty("pinnedAt");
  expect(view).not.toHaveProperty("archivedHead");
});

test("views are removed with their room and with their person", async () => {
  const { chats, records, store, owner, bot } = await open();
  const ben = await records.mutate({ kind: "create", type: "agent", content: { name: "Ben", kind: "human" } }, owner);
  const [first, second] = [await chats.begin(owner, bot), await chats.begin(ben.id as typeof owner, bot)];
  await chats.setView(owner, first.id, { pinned: true });
  await chats.setView(ben.id as typeof owner, second.id, { pinned: true });
  await records.mutate({ kind: "remove", id: first.id }, owner);
  await records.mutate({ kind: "remove", id: ben.id }, owner);
  expect(await store.select({ table: "room_views", where: {} })).toEqual([]);
});

test("the log of the house, which is never redacted, has no text of a message as a title", async () => {
  const { rooms, chats, streams, records, owner, bot, titleOf } = await open();
  const chat = await chats.begin(owner, bot);
  const message = await rooms.post(chat.id, { text: "the code is zanzibar" }, owner);
  await records.mutate({ kind: "update", id: chat.id, content: { description: "later" } }, owner);
  expect((await titleOf(chat.id)).title).toBe("the code is zanzibar");
  const log = JSON.stringify(await streams.read(`house:${chat.house}`, 0, 100));
  expect(log).toContain(message.id);
  expect(log).not.toContain("zanzibar");
  await chats.rename(await records.get("room", chat.id), "Codes", owner);
  expect(JSON.stringify(await streams.read(`house:${chat.house}`, 0, 100))).toContain("Codes");
});

test("only a direct room takes a title, also through its record", async () => {
  const { records, owner } = await open();
  const group = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  for (const content of [{ title: "x" }, { titleFrom: "next" }])
    await expect(records.mutate({ kind: "update", id: group.id, content }, owner)).rejects.toMatchObject({
      code: "record.invalid",
    });
});

test("a branch copies the messages up to one, in their current form, for the same two members", async () => {
  const { chats, rooms, records, streams, owner, bot } = await open();
  const origin = await rooms.direct(owner, bot);
  const one = await rooms.post(origin.id, { text: "teh", idempotencyKey: "k" }, owner);
  const gone = await rooms.post(origin.id, { text: "gone" }, owner);
  const two = await rooms.post(origin.id, { text: "two", replyTo: one.id }, bot);
  const three = await rooms.post(origin.id, { text: "three" }, owner);
  await rooms.edit(origin.id, one.id, "the", owner);
  await rooms.remove(origin.id, gone.id, owner);
  const branch = await chats.branch(origin, two.id, owner);
  expect(branch.content).toMatchObject({
    kind: "direct",
    members: [owner, bot],
    branch: { room: origin.id, message: two.id },
  });
  const copies = await streams.read(`room:${branch.id}`, 0, 10);
  const about = (message: typeof one) => ({
    room: branch.id,
    author: message.author,
    at: message.at,
    copied: { room: origin.id, message: message.id, offset: message.offset },
  });
  expect(copies).toMatchObject([
    { ...about(one), body: { text: "the" } },
    { ...about(two), body: { text: "two" }, replyTo: copies[0]?.id },
  ]);
  expect(copies).toHaveLength(2);
  expect(copies[0]).not.toHaveProperty("key");
  // An empty branch is not reused as a new chat.
  expect((await chats.begin(owner, bot)).id).not.toBe(branch.id);
  for (const message of [gone.id, `evt_${"0".repeat(26)}` as typeof one.id])
    await expect(chats.branch(origin, message, owner)).rejects.toMatchObject({ code: "message.not-found" });
  const ben = (await records.mutate({ kind: "create", type: "agent", content: { name: "Ben", kind: "human" } }, owner))
    .id;
  await expect(chats.branch(origin, three.id, ben as typeof owner)).rejects.toMatchObject({ code: "auth.denied" });
  const group = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  await expect(chats.branch(group as typeof origin, three.id, owner)).rejects.toMatchObject({ code: "record.invalid" });
});
