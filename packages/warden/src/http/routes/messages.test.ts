import { expect, test } from "bun:test";
import { StoredDeletion, StoredEdit, type StoredMessage, StoredReaction } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const strings: readonly string[] = (
  await Bun.file(new URL("../../../../../tests/fixtures/blns.json", import.meta.url)).json()
).items;

const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const ask = async (method: string, path: string, body?: unknown, key = house.key) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await house.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const say = async (text: string, key = house.key): Promise<StoredMessage> =>
    (await ask("POST", "/api/rooms/hall/messages", { text }, key)).body;
  const at = (message: string, room = "hall"): string => `/api/rooms/${room}/messages/${message}`;
  const head = () => house.options.kernel.streams.head(`room:${house.room.id}`);
  return { house, ask, say, at, head };
};
const NONE = `evt_${"0".repeat(26)}`;

test("an edit and a deletion answer with their event in the room", async () => {
  const { house, ask, say, at } = await setUp();
  const { id } = await say("teh");
  const edit = await ask("PATCH", at(id), { text: "the" });
  const deletion = await ask("DELETE", at(id, house.room.id));
  expect([edit.status, deletion.status]).toEqual([200, 200]);
  expect(StoredEdit.parse(edit.body)).toMatchObject({ offset: 2, by: house.owner.id, message: id });
  expect(StoredDeletion.parse(deletion.body)).toMatchObject({ offset: 3, by: house.owner.id, message: id });
  const { events } = (await ask("GET", "/api/rooms/hall/events?after=1")).body;
  expect(events).toEqual([edit.body, deletion.body]);
});

test("every naughty string is stored exactly as the text of an edit, or refused with a reason", async () => {
  const { ask, say, at } = await setUp();
  const { id } = await say("hi");
  for (const text of strings) {
    const { status, body } = await ask("PATCH", at(id), { text });
    if (text === "") expect([status, body.error.code]).toEqual([400, "request.invalid"]);
    else expect([status, body.body.text]).toEqual([200, text]);
  }
});

test.each(["{}", '{"text":1}', '{"text":"x","by":"me"}', '{"text":"lone \\ud800 surrogate"}', "[]", "{"])(
  "an edit of %s is refused and changes nothing",
  async (body) => {
    const { ask, say, at, head } = await setUp();
    const answer = await ask("PATCH", at((await say("hi")).id), body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "request.invalid"]);
    expect(await head()).toBe(1);
  },
);

test("a missing, foreign or malformed message id is refused, and nothing is written", async () => {
  const { ask, say, at, head } = await setUp();
  const { id } = await say("hi");
  await ask("POST", "/api/rooms", { content: { name: "Elsewhere" } });
  for (const [path, code] of [
    [at(NONE), "message.not-found"],
    [at(id, "elsewhere"), "message.not-found"],
    [at(id, "nowhere"), "record.not-found"],
    [at("1"), "request.invalid"],
    [at("%00"), "request.invalid"],
  ] as const) {
    expect((await ask("PATCH", path, { text: "x" })).body.error.code).toBe(code);
    expect((await ask("DELETE", path)).body.error.code).toBe(code);
  }
  expect(await head()).toBe(1);
});

test("a bot changes only its own messages; a person deletes a bot's message but does not edit it", async () => {
  const { house, ask, say, at } = await setUp();
  const [ours, its] = [await say("mine"), await say("its own", house.botKey)];
  const codes = async (...[method, id, key]: [string, string, string]) => {
    const { status, body } = await ask(method, at(id), method === "PATCH" ? { text: "x" } : undefined, key);
    return status === 200 ? body.type : body.error.code;
  };
  expect(await codes("PATCH", ours.id, house.botKey)).toBe("auth.denied");
  expect(await codes("DELETE", ours.id, house.botKey)).toBe("auth.denied");
  expect(await codes("PATCH", its.id, house.key)).toBe("auth.denied");
  expect(await codes("PATCH", its.id, house.botKey)).toBe("message-edited");
  expect(await codes("DELETE", its.id, house.key)).toBe("message-deleted");
});

test("of two concurrent deletions one succeeds, and the other finds nothing", async () => {
  const { ask, say, at, head } = await setUp();
  const { id } = await say("hi");
  const answers = await Promise.all([ask("DELETE", at(id)), ask("DELETE", at(id))]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  expect(await head()).toBe(2);
  const late = await ask("PATCH", at(id), { text: "late" });
  expect([late.status, late.body.error.code]).toEqual([404, "message.not-found"]);
});

test("deleting a message stops only what it woke", async () => {
  const { house, ask, say, at } = await setUp();
  const [one, two] = [await say("one"), await say("two")];
  const woken = [house.wake(one), house.wake(two)];
  await ask("DELETE", at(one.id));
  const states = await Promise.all(woken.map(async ({ id }) => (await house.options.turns.activations.get(id)).state));
  expect(states).toEqual(["stopped", "queued"]);
});

test("a reaction is one emoji, and its event is in the room", async () => {
  const { house, ask, say, at } = await setUp();
  const { id } = await say("done");
  const path = `${at(id)}/reactions`;
  const { status, body } = await ask("PUT", path, { emoji: "👩‍👩‍👧", isOn: true });
  expect(status).toBe(200);
  expect(StoredReaction.parse(body)).toMatchObject({ offset: 2, by: house.owner.id, message: id, emoji: "👩‍👩‍👧" });
  expect((await ask("GET", "/api/rooms/hall/events?after=1")).body.events).toEqual([body]);
  for (const emoji of ["", "a", "👍👍", "👍 ", "❤", "#", "<b>", "👍".repeat(30)])
    expect([emoji, (await ask("PUT", path, { emoji, isOn: true })).status]).toEqual([emoji, 400]);
  expect((await ask("PUT", `${at(NONE)}/reactions`, { emoji: "👍", isOn: true })).status).toBe(404);
});
