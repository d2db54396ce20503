/** Edited and deleted messages, and their effect on agents that read them. */
import { expect, test } from "bun:test";
import type { EventId, MessageEvent, Stored } from "@hearth/protocol";
import { createIdentity } from "../../src/fixtures/identity.ts";
import { createTestUploads } from "../../src/fixtures/uploads.ts";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";
import { createChats } from "../../src/people/rooms/chats.ts";
import { createRooms } from "../../src/people/rooms/house-rooms.ts";
import type { Store } from "../../src/kernel/store/store.ts";
import { createDurableStreams } from "../../src/kernel/streams/durable.ts";

const at = (message: EventId): string => `/api/rooms/main/messages/${message}`;
const edit = (house: TestHouse, message: EventId, text: string) => house.ask("PATCH", at(message), { text });
const remove = (house: TestHouse, message: EventId) => house.ask("DELETE", at(message));
const activationOf = async (house: TestHouse, { id }: Stored<MessageEvent>) =>
  (await house.ask("GET", `/api/agents/main/activations?cause=${id}`)).json[0];
/** Resolves once a turn for this message asks its model. */
const thinking = async (house: TestHouse, message: Stored<MessageEvent>): Promise<void> => {
  while ((await activationOf(house, message))?.state !== "running" || house.model.requests.length === 0)
    await house.ask("GET", "/api/rooms/main/live?after=1&wait=20");
};
const textsOf = (house: TestHouse, request: number): readonly string[] =>
  (house.model.requests[request]?.messages ?? []).map(({ role, text }) => `${role}: ${text}`);

test("an agent reads the current text of an edited message and nothing of a deleted one; neither event wakes it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "one" }, { text: "two" }, { text: "three" }] });
  const first = await house.post("teh");
  await house.until(2);
  const second = await house.post("a secret");
  await house.until(4);
  await edit(house, first.id, "the");
  await remove(house, second.id);
  await house.post("and now?");
  await house.until(8);
  expect(textsOf(house, 2)).toEqual(["user: the", "assistant: one", "assistant: two", "user: and now?"]);
  expect(house.model.requests).toHaveLength(3);
});

test("deleting a message stops its running and waiting activations, and the next message is answered", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ hang: true, text: "I think" }, { text: "back" }] });
  const running = await house.post("one");
  await thinking(house, running);
  const waiting = await house.post("two");
  while ((await activationOf(house, waiting)) === undefined) await house.ask("GET", "/api/rooms/main/live?wait=20");
  const stopped = { state: "stopped", reason: "Its message was deleted." };
  expect((await remove(house, waiting.id)).status).toBe(200);
  expect(await activationOf(house, waiting)).toMatchObject(stopped);
  expect((await activationOf(house, running)).state).toBe("running");
  expect((await remove(house, running.id)).status).toBe(200);
  expect(await activationOf(house, running)).toMatchObject(stopped);
  await house.post("three");
  expect((await house.until(6)).at(-1)).toMatchObject({ body: { text: "back" } });
  expect(textsOf(house, 1)).toEqual(["user: three"]);
});

test("an activation that is stopped by hand keeps its stop reason", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ hang: true }] });
  const message = await house.post("one");
  await thinking(house, message);
  const { id } = await activationOf(house, message);
  await house.ask("POST", `/api/activations/${id}/stop`);
  await remove(house, message.id);
  expect(await activationOf(house, message)).toMatchObject({ state: "stopped", reason: "It was stopped." });
});

/** Deletes a message in a daemon that ends before it can stop anything. */
const removeWithoutStopping = async (disk: TestDisk, message: Stored<MessageEvent>): Promise<void> => {
  const world = createBunWorld();
  const streams = createDurableStreams({ world, store: disk.store, blobs: disk.blobs });
  const identity = createIdentity({ world, store: disk.store, streams });
  const chats = createChats({ world, store: disk.store, records: identity.records, streams });
  await createRooms({ world, ...identity, streams, uploads: createTestUploads({ world, ...disk }), chats }).remove(
    message.room,
    message.id,
    message.author,
  );
};

test("an activation whose message was deleted during an outage is not continued after the restart, and keeps its cost", async () => {
  using disk = createTestDisk();
  const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const calls = [{ id: "a", name: "list", input: {} }];
  const before = await openTestHouse({ disk, script: [{ toolCalls: calls, usage }, { hang: true }] });
  const message = await before.post("one");
  while (before.model.requests.length < 2) await before.ask("GET", "/api/rooms/main/live?after=2&wait=20");
  await before[Symbol.asyncDispose]();
  await removeWithoutStopping(disk, message);
  await using house = await openTestHouse({ disk, script: [{ text: "next" }] });
  await house.post("two");
  await house.until(4);
  expect(await activationOf(house, message)).toMatchObject({
    ...{ state: "stopped", reason: "Its message was deleted.", usage },
  });
  expect(house.model.requests).toHaveLength(1);
});

test("a message deleted before its agent woke occupies the agent only until that is noticed", async () => {
  using disk = createTestDisk();
  const before = await openTestHouse({ disk, script: [] });
  const room = await before.room();
  const [{ id: owner }] = (await before.ask("GET", "/api/agents")).json;
  await before[Symbol.asyncDispose]();
  const world = createBunWorld();
  const streams = createDurableStreams({ world, store: disk.store, blobs: disk.blobs });
  const identity = createIdentity({ world, store: disk.store, streams });
  const message = await createRooms({
    world,
    ...identity,
    streams,
    uploads: createTestUploads({ world, ...disk }),
    chats: createChats({ world, store: disk.store, records: identity.records, streams }),
  }).post(room.id, { text: "oops" }, owner);
  await removeWithoutStopping(disk, message);
  await using house = await openTestHouse({ disk, script: [{ text: "next" }] });
  await house.post("two");
  await house.until(4);
  expect(await activationOf(house, message)).toMatchObject({ state: "stopped", reason: "Its message was deleted." });
  expect(textsOf(house, 0)).toEqual(["user: two"]);
});

test("a message that another daemon deletes while its agent prepares is not answered, and no model is asked", async () => {
  using disk = createTestDisk();
  let message: Stored<MessageEvent> | undefined;
  const store: Store = {
    ...disk.store,
    async select(query) {
      const it = message;
      // The input of the activation is about to be read.
      if (it === undefined || query.table !== "heads") return disk.store.select(query);
      message = undefined;
      await removeWithoutStopping(disk, it);
      return disk.store.select(query);
    },
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, house: "shared", script: [{ text: "next" }] });
  await house.ask("POST", "/api/agents/main/stop");
  const first = await house.post("oops");
  while ((await activationOf(house, first)) === undefined) await house.ask("GET", "/api/rooms/main/live?wait=20");
  message = first;
  await house.ask("POST", "/api/agents/main/resume");
  await house.post("two");
  await house.until(4);
  expect(await activationOf(house, first)).toMatchObject({ state: "stopped", reason: "Its message was deleted." });
  expect(house.model.requests).toHaveLength(1);
  expect(textsOf(house, 0)).toEqual(["user: two"]);
});

test("an activation that continues after a restart reads the room as it was at its start", async () => {
  using disk = createTestDisk();
  const before = await openTestHouse({ disk, script: [{ text: "hello" }, { hang: true }] });
  const first = await before.post("hi");
  await before.until(2);
  await edit(before, first.id, "hi there");
  const second = await before.post("more");
  while (before.model.requests.length < 2) await before.ask("GET", "/api/rooms/main/live?after=4&wait=20");
  await edit(before, second.id, "less");
  await remove(before, first.id);
  const read = textsOf(before, 1);
  expect(read).toEqual(["user: hi there", "assistant: hello", "user: more"]);
  await before[Symbol.asyncDispose]();
  await using house = await openTestHouse({ disk, script: [{ text: "done" }] });
  await house.until(7);
  expect(textsOf(house, 0)).toEqual(read);
});

test("any number of edits pushes no message out of an agent's view", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "ok" }] });
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json.id;
  const say = async (text: string) => (await house.ask("POST", `/api/rooms/${room}/messages`, { text })).json;
  const { id } = await say("message 0");
  for (let count = 1; count < 60; count += 1) await say(`message ${count}`);
  for (let count = 1; count <= 80; count += 1)
    await house.ask("PATCH", `/api/rooms/${room}/messages/${id}`, { text: `version ${count}` });
  await say("@main read the room");
  await house.ask("GET", `/api/rooms/${room}/events?after=141&wait=5000`);
  const texts = textsOf(house, 0);
  expect(texts.length).toBeGreaterThanOrEqual(50);
  expect(texts.at(-2)).toBe("user: message 59");
});

test("an activation shows its text and tool calls in order, and its reply has the number of tool calls", async () => {
  using disk = createTestDisk();
  const script: Script = [
    { text: "Let me see.", toolCalls: [{ id: "a", name: "list", input: {} }] },
    { toolCalls: [{ id: "b", name: "shell", input: { command: "true" } }] },
    { text: "Nothing there." },
  ];
  await using house = await openTestHouse({ disk, script });
  const message = await house.post("look");
  const reply = (await house.until(2)).at(-1);
  expect(reply).toMatchObject({ toolCalls: 2, body: { text: "Nothing there." } });
  const { json } = await house.ask("GET", `/api/activations/${reply?.activation ?? ""}`);
  expect(json.parts).toMatchObject([
    { kind: "text", text: "Let me see." },
    { kind: "tool", call: "a", name: "list", input: {}, state: "done" },
    { kind: "tool", call: "b", name: "shell", input: { command: "true" }, state: "failed" },
    { kind: "text", text: "Nothing there." },
  ]);
  expect((await house.ask("GET", "/api/rooms/main/activations")).json).toEqual([await activationOf(house, message)]);
});

test("a reply without tool calls has no number of tool calls", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "hello" }] });
  await house.post("hi");
  expect((await house.until(2)).at(-1)).not.toHaveProperty("toolCalls");
});
