/**
 * Forgetting in a whole house: forgotten content is in no table, blob or file except people's own
 * messages; other content stays.
 */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { createScanParts } from "../../src/fixtures/memory.ts";
import { activationsOf, addBot, call, lastIn, resultsIn, waitForEnd } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import { tableNames } from "../../src/kernel/store/tables/tables.ts";

type Json = ReturnType<typeof JSON.parse>;

const WORD = "zanzibar-otter";
const SECRET = `The locker in the hall opens with ${WORD}.`;
const BESIDE = "The bicycle in the yard is painted red.";

/**
 * Follows the message: `keep TEXT`, `note TEXT` to another agent, `recall QUERY`; repeats any other
 * text.
 */
const obey = (request: ModelRequest): ScriptedReply => {
  const [, verb, rest = ""] = /^(\w+) (.*)$/s.exec(lastIn(request)) ?? [];
  if (resultsIn(request).length > 0) return { text: `Done: ${resultsIn(request).at(-1)?.text ?? ""} ${rest}` };
  if (verb === "keep") return call("remember", { text: rest });
  if (verb === "note") return call("send_to_agent", { agent: "aide", text: rest });
  if (verb === "recall") return call("recall", { query: rest });
  return { text: `You said: ${lastIn(request)}` };
};

const open = async (
  disk: TestDisk,
  script: (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply> = obey,
  world?: FakeWorld,
) => {
  const tools = ["remember", "recall", "send_to_agent", "time"];
  const house = await openTestHouse({
    ...{ disk, script, memory: createScanParts(), config: `tools = ${JSON.stringify(tools)}\n` },
    ...(world === undefined ? {} : { world }),
  });
  await addBot(house, "Aide");
  return house;
};

const say = async (house: TestHouse, text: string): Promise<Json> => {
  const { id } = await house.post(text);
  const { length } = await house.messages();
  await house.until(length + 1);
  return id;
};

const messages = async (house: TestHouse) => (await house.messages()).filter(({ type }) => type === "message");

const forget = async (house: TestHouse, source: string): Promise<Json> => {
  const { status, json } = await house.ask("POST", "/api/agents/main/memory/forget", { source });
  expect({ status, json }).toMatchObject({ status: 200 });
  return json;
};

/** Tables that contain it, and blobs that rows refer to, or referred to in an earlier check. */
const lookIn = (disk: TestDisk) => {
  const seen = new Set<string>();
  return async (word = WORD): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const table of tableNames) {
      const rows = JSON.stringify(await disk.store.select({ table }));
      if (rows.includes(word)) found.push(table);
      for (const hash of rows.match(/\b[0-9a-f]{64}\b/g) ?? []) seen.add(hash);
    }
    for (const hash of seen)
      if (new TextDecoder().decode(await disk.blobs.get(hash)).includes(word) && !found.includes("blobs"))
        found.push("blobs");
    return found;
  };
};

test("of a message: its text and everything stored, done, posted and noted in its turn; and nothing of another message", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  await using house = await open(disk);
  await say(house, `keep ${BESIDE}`);
  const first = await say(house, `keep ${SECRET}`);
  const second = await say(house, `note ${SECRET}`);
  await say(house, "what now?");
  expect(await holders()).toEqual(expect.arrayContaining(["events", "steps", "brain_bodies", "inbox", "blobs"]));
  const steps = (await disk.store.select({ table: "steps" })).filter(({ output }) => output !== null).length;
  expect(await forget(house, first)).toMatchObject({
    files: expect.arrayContaining(["MEMORY.md"]),
    messages: expect.any(Number),
    running: 0,
  });
  expect(await forget(house, second)).toMatchObject({ messages: expect.any(Number) });
  expect(await holders()).toEqual([]);
  expect(await holders(BESIDE)).toEqual(expect.arrayContaining(["events", "steps", "brain_bodies"]));
  const left = (await disk.store.select({ table: "steps" })).filter(({ output }) => output !== null).length;
  expect([left > 0, left < steps]).toEqual([true, true]);
  const said = await messages(house);
  expect(said.filter(({ body }) => body.text === "").length).toBeGreaterThan(2);
  expect(said.map(({ offset }) => offset)).toEqual(said.map(({ offset }) => offset).toSorted((a, b) => a - b));
  // No part of it is left to forget, and the house keeps working.
  expect(
    (await house.ask("POST", "/api/agents/main/memory/forget", { source: "https://nowhere.example" })).status,
  ).toBe(404);
  await say(house, "recall bicycle");
  expect(JSON.stringify((await house.messages()).at(-1))).toContain("painted red");
});

test("of a message that gave its chat the title: the title is removed too", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  await using house = await open(disk);
  const chat = (await house.ask("POST", "/api/agents/main/chats")).json;
  const path = `/api/rooms/${chat.id}`;
  const { id } = (await house.ask("POST", `${path}/messages`, { text: SECRET })).json;
  const events = async (): Promise<Json[]> => (await house.ask("GET", `${path}/events`)).json.events;
  await until(async () => (await events()).filter(({ type }) => type === "message").length === 2);
  expect((await house.ask("GET", path)).json.content).toMatchObject({ title: SECRET, titleFrom: id });
  expect(await holders()).toContain("records");
  await forget(house, id);
  expect((await house.ask("GET", path)).json.content).toMatchObject({ titleFrom: "next" });
  expect(await holders()).toEqual([]);
});

test("of a fact at a place: its copies in turns' inputs and calls; people's own messages about it stay", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  await using house = await open(disk);
  await house.ask("POST", "/api/agents/main/memory/remember", { text: BESIDE });
  await house.ask("POST", "/api/agents/main/memory/remember", { text: SECRET });
  await say(house, "recall locker hall");
  await say(house, `The fact is: ${SECRET}`);
  expect(await holders()).toContain("blobs");
  await forget(house, "MEMORY.md:2");
  const said = (await messages(house)).filter(({ body }) => body.text.includes(WORD));
  expect(said.map(({ body }) => body.text)).toEqual([`The fact is: ${SECRET}`]);
  expect(await holders()).toEqual(["events"]);
});

test("of a turn, by its id: its steps, messages and stored facts, but not its prompt by a person", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  await using house = await open(disk);
  await say(house, `keep ${BESIDE}`);
  await say(house, `keep ${SECRET}`);
  const [first, second] = await waitForEnd(house, "main", 2);
  await forget(house, second.id);
  const steps = await disk.store.select({ table: "steps" });
  const kept = (id: string) => steps.filter(({ activation, output }) => activation === id && output !== null).length;
  expect([kept(first.id) > 0, kept(second.id)]).toEqual([true, 0]);
  expect((await messages(house)).map(({ body }) => body.text).filter((text) => text.includes(WORD))).toEqual([
    `keep ${SECRET}`,
  ]);
  expect(await holders()).toEqual(["events"]);
});

test("of a running turn: it ends with the input it has, and then none of its content is kept", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  const gate = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  await using house = await open(disk, async (request) => {
    if (lastIn(request) !== "recall locker hall" || resultsIn(request).length === 0) return obey(request);
    isAsked.resolve();
    await gate.promise;
    return { text: "I have it." };
  });
  await house.ask("POST", "/api/agents/main/memory/remember", { text: SECRET });
  await house.post("recall locker hall");
  await isAsked.promise;
  expect(await forget(house, "MEMORY.md:1")).toMatchObject({ running: 1 });
  // The turn keeps working: a crash finds its steps.
  expect(await holders()).toEqual(["steps"]);
  gate.resolve();
  const [{ id }] = (await waitForEnd(house, "main", 1)) as [Json];
  await until(async () => (await holders()).length === 0);
  expect(await disk.store.select({ table: "readers", where: { stream: id } })).toEqual([]);
  expect((await activationsOf(house, "main"))[0]).toMatchObject({ id, state: "replied" });
  expect(JSON.stringify(await house.messages())).toContain("I have it.");
});

test("of a running turn: its later model requests have nothing of it, and everything next to it", async () => {
  using disk = createTestDisk();
  const isAsked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using house = await open(disk, async (request) => {
    if (lastIn(request) !== "recall locker bicycle" || resultsIn(request).length === 0) return obey(request);
    if (resultsIn(request).length > 1) return { text: `I know: ${JSON.stringify(resultsIn(request))}` };
    isAsked.resolve();
    await gate.promise;
    return call("time", {});
  });
  await house.ask("POST", "/api/agents/main/memory/remember", { text: SECRET });
  await house.ask("POST", "/api/agents/main/memory/remember", { text: BESIDE });
  await house.post("recall locker bicycle");
  await isAsked.promise;
  const had = JSON.stringify(house.model.requests.at(-1));
  expect([had.includes(WORD), had.includes(BESIDE)]).toEqual([true, true]);
  expect(await forget(house, "MEMORY.md:1")).toMatchObject({ running: 1 });
  gate.resolve();
  await waitForEnd(house, "main", 1);
  const asked = house.model.requests.at(-1);
  const has = JSON.stringify([asked?.system, asked?.messages]);
  expect([has.includes(WORD), has.includes(BESIDE), resultsIn(asked as ModelRequest).length]).toEqual([false, true, 2]);
  const said = JSON.stringify(await house.messages());
  expect([said.includes(WORD), said.includes(BESIDE)]).toEqual([false, true]);
});

test("of an interrupted turn: it continues with its remaining input, and its content is deleted when another daemon has ended it", async () => {
  using disk = createTestDisk();
  const holders = lookIn(disk);
  const isAsked = Promise.withResolvers<void>();
  {
    await using house = await open(disk, async (request) => {
      if (resultsIn(request).length === 0) return obey(request);
      isAsked.resolve();
      return { hang: true };
    });
    await house.ask("POST", "/api/agents/main/memory/remember", { text: SECRET });
    await house.ask("POST", "/api/agents/main/memory/remember", { text: BESIDE });
    await house.post("recall locker hall");
    await isAsked.promise;
    expect(await forget(house, "MEMORY.md:1")).toMatchObject({ running: 1 });
  }
  const world = createFakeWorld({ hash: createBunWorld().hash, now: Date.now() });
  await using again = await open(disk, () => ({ text: "I have it." }), world);
  await waitForEnd(again, "main", 1);
  // The input after the restart has the rest of the file.
  const given = JSON.stringify(again.model.requests[0]);
  expect([
    given.includes("painted red"),
    /MEMORY[^]*zanzibar/.test(JSON.stringify(again.model.requests[0]?.system)),
  ]).toEqual([true, false]);
  const isMarked = async () =>
    (await disk.store.select({ table: "readers", where: { reader: "forgotten" } })).length > 0;
  expect([await holders(), await isMarked()]).toEqual([expect.arrayContaining(["steps"]), true]);
  // The cleanup runs a minute after the start.
  await until(async () => {
    await world.advance(10_000);
    return !(await isMarked());
  });
  expect(await holders()).toEqual([]);
});
