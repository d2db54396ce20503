import { plainSet } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { EventId, HouseId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { foundHouse } from "../records/found-house.ts";
import { createIdentity } from "../../fixtures/identity.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createChats } from "./chats.ts";
import { createRooms } from "./house-rooms.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records, permissions } = createIdentity({ world, store, streams });
  const uploads = createTestUploads({ world, store });
  const chats = createChats({ world, store, records, streams });
  const rooms = createRooms({ world, records, permissions, streams, uploads, chats });
  const owner = (await records.get("agent", "owner")).id;
  const create = async (name: string, kind: string) =>
    (await records.mutate({ kind: "create", type: "agent", content: { name, kind } }, owner)).id as typeof owner;
  return {
    records,
    permissions,
    rooms,
    chats,
    uploads,
    store,
    streams,
    owner,
    create,
    room: (await records.get("room", "main")).id,
  };
};

test("a message is stored exactly, with the agents that its text mentions", async () => {
  const { records, rooms, owner } = await open();
  const { id } = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  const bot = (await records.get("agent", "main")).id;
  const text = "  @main and @ghost and \u0000 `@owner`  ";
  expect(await rooms.post(id as never, { text }, owner)).toMatchObject({
    offset: 1,
    body: { text },
    mentions: [bot],
    causes: [],
  });
});

test("an agent without access to a room cannot write there", async () => {
  const { rooms, create, room } = await open();
  const stranger = await create("Ben", "human");
  await expect(rooms.post(room, { text: "hi" }, stranger)).rejects.toMatchObject({ code: "auth.denied" });
});

test("a repeated key returns the first message, per author and room", async () => {
  const { rooms, owner, create, records } = await open();
  const { id } = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  const ben = await create("Ben", "human");
  const post = (author: typeof owner, text: string) => rooms.post(id as never, { text, idempotencyKey: "k" }, author);
  const first = await post(owner, "one");
  expect(first).toMatchObject({ key: "k" });
  expect(await post(owner, "two")).toEqual(first);
  expect(await post(ben, "three")).toMatchObject({ offset: 2, body: { text: "three" } });
});

test("two agents have one direct room, whatever groups both are in", async () => {
  const { records, rooms, owner, create } = await open();
  const bot = await create("Scout", "bot");
  const members = [owner, bot];
  await records.mutate({ kind: "create", type: "room", content: { name: "Group", members, kind: "group" } }, owner);
  const direct = await rooms.direct(owner, bot);
  expect(direct.content).toMatchObject({ kind: "direct" });
  expect(await rooms.direct(owner, bot)).toEqual(direct);
  expect(await rooms.direct(bot, owner)).toEqual(direct);
});

test("a direct room has no invisible characters in its name, whatever its agents were called before", async () => {
  const { rooms, owner, create, store } = await open();
  const bot = await create("Scout", "bot");
  const set = plainSet("records", { content: JSON.stringify({ name: "Sc\u200bout\u202e", kind: "bot" }) });
  await store.commit({ writes: [{ kind: "update", table: "records", where: { id: bot }, set }] });
  expect((await rooms.direct(owner, bot)).content.name).toBe("Scout");
});

test("two agents share one direct room, however often and concurrently it is requested", async () => {
  const { rooms, owner, create } = await open();
  const bot = await create("Helpful", "bot");
  const [one, two] = await Promise.all([rooms.direct(owner, bot), rooms.direct(bot, owner)]);
  expect(one.id).toBe(two.id);
  expect((await rooms.direct(owner, bot)).id).toBe(one.id);
  expect(one).toMatchObject({ handle: "helpful", content: { kind: "direct", members: [owner, bot] } });
});

test("a direct room gets another name when the bot's is taken", async () => {
  const { records, rooms, owner, create } = await open();
  const bot = await create("Helpful", "bot");
  for (const name of ["Helpful", "Helpful and Owner"]) {
    await records.mutate({ kind: "create", type: "room", content: { name } }, owner);
  }
  expect(await rooms.direct(owner, bot)).toMatchObject({ content: { kind: "direct", members: [owner, bot] } });
});

test("an edit and a deletion follow the message in the room, and the message stays", async () => {
  const { rooms, streams, owner, room } = await open();
  const message = await rooms.post(room, { text: "teh" }, owner);
  const edit = await rooms.edit(room, message.id, "the", owner);
  const deletion = await rooms.remove(room, message.id, owner);
  expect(edit).toMatchObject({ offset: 2, by: owner, message: message.id, body: { format: "markdown", text: "the" } });
  expect(deletion).toMatchObject({ type: "message-deleted", offset: 3, by: owner, message: message.id });
  expect(await streams.read(`room:${room}`, 0, 10)).toEqual([message, edit, deletion]);
});

test("an author can edit a message any number of times, also to the same text", async () => {
  const { rooms, owner, room } = await open();
  const { id } = await rooms.post(room, { text: "same" }, owner);
  const edits = [await rooms.edit(room, id, "same", owner), await rooms.edit(room, id, "same", owner)];
  expect(edits.map(({ offset }) => offset)).toEqual([2, 3]);
  expect(edits[0]?.id).not.toBe(edits[1]?.id as EventId);
});

test("only its author can edit a message; its author and admins of the room can delete it", async () => {
  const { records, permissions, rooms, owner, create } = await open();
  const group = (await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner))
    .id as RoomId;
  const [ben, bot] = [await create("Ben", "human"), await create("Helpful", "bot")];
  const post = async (author: typeof owner) => (await rooms.post(group, { text: "hi" }, author)).id;
  const [ours, theirs] = [await post(owner), await post(bot)];
  for (const by of [ben, bot]) {
    await expect(rooms.edit(group, ours, "no", by)).rejects.toMatchObject({ code: "auth.denied" });
  }
  await expect(rooms.edit(group, theirs, "no", owner)).rejects.toMatchObject({ code: "auth.denied" });
  for (const by of [ben, bot])
    await expect(rooms.remove(group, ours, by)).rejects.toMatchObject({ code: "auth.denied" });
  await permissions.grant({ agent: ben, on: group, level: "x" }, { agent: owner });
  expect(await rooms.edit(group, theirs, "better", bot)).toMatchObject({ by: bot });
  expect(await rooms.remove(group, ours, ben)).toMatchObject({ by: ben });
  expect(await rooms.remove(group, theirs, bot)).toMatchObject({ by: bot });
});

test("an agent without access to a room can change nothing there, not even its own messages", async () => {
  const { records, rooms, owner, create, room } = await open();
  const ben = await create("Ben", "human");
  const content = { name: "Two", members: [owner, ben] };
  const two = (await records.mutate({ kind: "create", type: "room", content }, owner)).id as RoomId;
  const { id } = await rooms.post(two, { text: "mine" }, ben);
  await records.mutate({ kind: "update", id: two, content: { members: [owner] } }, owner);
  await expect(rooms.edit(two, id, "yours", ben)).rejects.toMatchObject({ code: "auth.denied" });
  await expect(rooms.remove(two, id, ben)).rejects.toMatchObject({ code: "auth.denied" });
  const { id: other } = await rooms.post(room, { text: "hi" }, owner);
  await expect(rooms.remove(room, other, ben)).rejects.toMatchObject({ code: "auth.denied" });
});

test("a message of another room, an edit, and an unknown id are not messages here", async () => {
  const { records, rooms, owner, room } = await open();
  const elsewhere = (await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner)).id;
  const { id } = await rooms.post(room, { text: "hi" }, owner);
  const edit = await rooms.edit(room, id, "hello", owner);
  const none = `evt_${"0".repeat(26)}` as EventId;
  for (const [where, message] of [
    [elsewhere as RoomId, id],
    [room, edit.id],
    [room, none],
  ] as const) {
    await expect(rooms.edit(where, message, "x", owner)).rejects.toMatchObject({ code: "message.not-found" });
    await expect(rooms.remove(where, message, owner)).rejects.toMatchObject({ code: "message.not-found" });
  }
});

test("a message deleted concurrently has one deletion, and can be neither edited nor deleted again", async () => {
  const { rooms, streams, owner, room } = await open();
  const { id } = await rooms.post(room, { text: "hi" }, owner);
  expect(await rooms.isRemoved(room, id)).toBe(false);
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => rooms.remove(room, id, owner)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const gone = { code: "message.not-found", hint: expect.any(String) };
  for (const attempt of tries) if (attempt.status === "rejected") expect(attempt.reason).toMatchObject(gone);
  await expect(rooms.edit(room, id, "late", owner)).rejects.toMatchObject(gone);
  expect(await streams.head(`room:${room}`)).toBe(2);
  expect(await rooms.isRemoved(room, id)).toBe(true);
});

test("an agent of another house with access is mentioned too; a handle that both houses have is the room's own", async () => {
  const { records, permissions, rooms, owner } = await open();
  const make = async (type: "house" | "room" | "agent", content: unknown, house?: HouseId) =>
    (
      await records.mutate(
        { kind: "create", type, content, ...(house && { house }), ...(type === "agent" && { level: "none" }) },
        owner,
      )
    ).id;
  const annex = (await make("house", { name: "Annex" })) as HouseId;
  const hall = (await make("room", { name: "Hall" })) as RoomId;
  const [guest, twin] = [
    (await make("agent", { name: "Guest", kind: "bot" }, annex)) as typeof owner,
    (await make("agent", { name: "Main", kind: "bot" }, annex)) as typeof owner,
  ];
  const named = async () => (await rooms.post(hall, { text: "@guest @main" }, owner)).mentions;
  const main = (await records.get("agent", "main")).id;
  expect(await named()).toEqual([main]);
  for (const agent of [guest, twin]) await permissions.grant({ agent, on: hall, level: "w" }, { agent: owner });
  expect(await named()).toEqual([main, guest]);
});

test("a reaction is one event per change; a repeat, also at once, returns the first event", async () => {
  const { rooms, streams, owner, room } = await open();
  const { id } = await rooms.post(room, { text: "done" }, owner);
  const set = (isOn: boolean, emoji = "👍") => rooms.react(room, id, { emoji, isOn }, owner);
  const [first, ...others] = await Promise.all([set(true), set(true), set(true)]);
  for (const other of others) expect(other.id).toBe(first.id);
  for (const isOn of [true, false, false, true, false, true, true]) await set(isOn);
  await set(true, "🎉");
  const events = await streams.read(`room:${room}`, 1, 100);
  expect(events).toMatchObject(
    [true, false, true, false, true]
      .map((isOn) => ({ type: "message-reacted", by: owner, message: id, isOn }))
      .concat([{ type: "message-reacted", by: owner, message: id, isOn: true }]),
  );
  expect(events.filter((event) => event.type === "message-reacted").map(({ emoji }) => emoji)).toEqual([
    ...["👍", "👍", "👍", "👍", "👍", "🎉"],
  ]);
  await expect(set(false, "🔥")).rejects.toMatchObject({ code: "request.invalid" });
});

test("a reaction needs write access, and a message that exists and is not deleted", async () => {
  const { rooms, owner, create, room } = await open();
  const { id } = await rooms.post(room, { text: "done" }, owner);
  const reaction = { emoji: "👍", isOn: true };
  const ben = await create("Ben", "human");
  await expect(rooms.react(room, id, reaction, ben)).rejects.toMatchObject({ code: "auth.denied" });
  const none = `evt_${"0".repeat(26)}` as EventId;
  await expect(rooms.react(room, none, reaction, owner)).rejects.toMatchObject({ code: "message.not-found" });
  await rooms.remove(room, id, owner);
  await expect(rooms.react(room, id, reaction, owner)).rejects.toMatchObject({ code: "message.not-found" });
});

test("the place of an instant is the first event at it or later", async () => {
  const { rooms, streams, owner, room } = await open();
  expect(await rooms.offsetAt(room, 0)).toBeUndefined();
  const times = [10, 10, 20, 30, 30, 30, 45];
  let count = 0;
  for (const at of times) {
    const event = { type: "message" as const, room, author: owner, at, mentions: [], causes: [] };
    await streams.append({
      stream: `room:${room}`,
      id: `evt_at_${(count += 1)}` as EventId,
      event: { ...event, body: { format: "markdown" as const, text: "" } },
    });
  }
  for (let time = 0; time <= 50; time += 1) {
    const index = times.findIndex((at) => at >= time);
    expect([time, await rooms.offsetAt(room, time)]).toEqual([time, index === -1 ? undefined : index + 1]);
  }
});
