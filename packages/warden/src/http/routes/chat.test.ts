import { expect, test } from "bun:test";
import type { Activation, ErrorCode, StoredMessage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createMemoryStreams } from "../../kernel/streams/memory.ts";
import { createFakeHouse, type FakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
/** `silent`: the port receives no live events of rooms. */
const setUp = async ({ silent = false } = {}) => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world, silent ? { kernel: { memory: createMemoryStreams({ world }) } } : {});
  await house.options.people.rooms.direct(house.owner.id, house.bot.id);
  const chat = async (agentName: string, key = house.key, message = "hello") => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await house.call("/api/chat", {
      method: "POST",
      headers,
      body: JSON.stringify({ agentName, message }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { world, house, chat };
};

/** The next message of the owner, with the bot's direct room. */
const nextMessage = async (house: FakeHouse, after = 0): Promise<StoredMessage> => {
  const { id } = await house.options.people.rooms.direct(house.owner.id, house.bot.id);
  for await (const [event] of house.options.kernel.streams.follow(`room:${id}`, after, new AbortController().signal)) {
    if (event?.type === "message") return event;
  }
  throw new Error("the room ended");
};

const end = async (house: FakeHouse, how: Partial<Activation>, text?: string): Promise<void> => {
  const { id } = house.wake(await nextMessage(house));
  await house.finish(id, how, text);
};

test("the answer is the text of the bot's activation, with the session of the two", async () => {
  const { world, house, chat } = await setUp();
  const chatting = chat("main");
  const said = await nextMessage(house);
  expect(said).toMatchObject({ author: house.owner.id, body: { text: "hello" } });
  // Another message comes in between.
  await house.options.people.rooms.post(said.room, { text: "not the reply" }, house.bot.id);
  const { id } = house.wake(said);
  await house.finish(id, { state: "replied" }, "hi there");
  const { status, body } = await chatting;
  expect(status).toBe(200);
  expect(body).toEqual({ result: "hi there", sessionId: world.ids.derive("ses", said.room, house.bot.id) });
});

test("an activation that ended before the first look is found too", async () => {
  const { house, chat } = await setUp();
  const chatting = chat("main");
  await end(house, { state: "replied" }, "quick");
  expect((await chatting).body.result).toBe("quick");
});

test("an activation without live events is found within a second", async () => {
  const { world, house, chat } = await setUp({ silent: true });
  const chatting = chat("main");
  await end(house, { state: "replied" }, "here");
  await world.advance(1000);
  expect((await chatting).body.result).toBe("here");
});

test("a bot is found by id, handle and display name", async () => {
  const { house, chat } = await setUp();
  for (const name of [house.bot.id, "main", "Main", " MAIN! "]) {
    const chatting = chat(name);
    const head = async (): Promise<number> =>
      house.options.kernel.streams.head(
        `room:${(await house.options.people.rooms.direct(house.owner.id, house.bot.id)).id}`,
      );
    const { id } = house.wake(await nextMessage(house, await head()));
    await house.finish(id, { state: "replied" }, `I am ${name}`);
    expect((await chatting).body.result).toBe(`I am ${name}`);
  }
});

test("a bot with nothing to say answers with an empty text", async () => {
  const { house, chat } = await setUp();
  const chatting = chat("main");
  await end(house, { state: "skipped", reason: "The agent had nothing to say." });
  expect(await chatting).toMatchObject({ status: 200, body: { result: "" } });
});

const failures: readonly [Partial<Activation>, number, ErrorCode][] = [
  [{ state: "failed", error: { code: "provider.auth", message: "no key", hint: "set one" } }, 502, "provider.auth"],
  [{ state: "failed", error: { code: "provider.rate-limited", message: "later" } }, 503, "provider.rate-limited"],
  [{ state: "failed", reason: "it broke" }, 502, "activation.failed"],
  [{ state: "stopped", reason: "It was stopped." }, 409, "activation.stopped"],
];
test.each(failures)("a chat answers with the error that its activation ended with: %j", async (how, status, code) => {
  const { house, chat } = await setUp();
  const chatting = chat("main");
  await end(house, how);
  expect(await chatting).toMatchObject({
    status,
    body: { error: { code, message: how.error?.message ?? how.reason ?? "" } },
  });
});

test("an unknown name, a person and oneself are refused as chat partners", async () => {
  const { chat } = await setUp();
  expect(await chat("nobody")).toMatchObject({ status: 404, body: { error: { code: "record.not-found" } } });
  expect(await chat("owner")).toMatchObject({ status: 400, body: { error: { code: "request.invalid" } } });
});

test("a caller cannot chat with itself, or with read access only", async () => {
  const { house, chat } = await setUp();
  expect(await chat("main", house.botKey)).toMatchObject({ status: 400, body: { error: { code: "request.invalid" } } });
  await house.options.people.permissions.grant(
    { agent: house.bot.id, on: house.house, level: "r" },
    { agent: house.owner.id },
  );
  expect(await chat("main", house.botKey)).toMatchObject({ status: 403, body: { error: { code: "auth.denied" } } });
});

test("a message that wakes no agent fails after half a minute", async () => {
  const { world, house, chat } = await setUp();
  const chatting = chat("main");
  await nextMessage(house);
  for (let second = 0; second <= 31; second += 1) await world.advance(1000);
  expect(await chatting).toMatchObject({ status: 502, body: { error: { code: "activation.failed" } } });
});

test("a closing house ends the wait and reports that the reply will be in the room", async () => {
  const { world, house, chat } = await setUp();
  const chatting = chat("main");
  house.wake(await nextMessage(house));
  await world.advance(0);
  house.http.close();
  expect(await chatting).toMatchObject({ status: 503, body: { error: { code: "house.closing" } } });
});

test("an activation that waits long for its next try is answered with the time of that try", async () => {
  const { world, house, chat } = await setUp();
  const chatting = chat("main");
  const { id } = house.wake(await nextMessage(house));
  await house.finish(id, { state: "queued", retryAt: world.clock.now() + 5_000 });
  for (let second = 0; second < 3; second += 1) await world.advance(1000);
  const retryAt = world.clock.now() + 16_000;
  await house.finish(id, { state: "queued", retryAt });
  for (let second = 0; second < 3; second += 1) await world.advance(1000);
  expect(await chatting).toMatchObject({ status: 200, body: { result: "", retryAt } });
});

test("the direct room of an agent and oneself is created once", async () => {
  const { house } = await setUp();
  const room = async (agent: string) =>
    (await house.call(`/api/agents/${agent}/room`, { method: "POST", body: "{}" })).json();
  const first = await room("main");
  expect(first).toMatchObject({ type: "room", content: { kind: "direct", members: [house.owner.id, house.bot.id] } });
  expect(await room(house.bot.id)).toEqual(first);
  expect((await room("owner")).error.code).toBe("request.invalid");
  expect((await room("nobody")).error.code).toBe("record.not-found");
});
