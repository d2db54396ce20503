import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, createHome, eventsOf, isAlive, startDaemon, until, type Json } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const env = { TEST_KEY: "key" };

test("after a kill in the middle of a reply, the next start answers the message once", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  const said = Promise.withResolvers<void>();
  model.answer = async function* () {
    yield "I was just ";
    said.resolve();
    await new Promise(() => {});
  };
  const before = await startDaemon(home.folder, env);
  const posted = (await before.ask("POST", "/api/rooms/main/messages", { text: "hi" })).json;
  await said.promise;
  const [activation] = (await before.ask("GET", "/api/agents/main/activations")).json;
  const cells = await childrenOf(before.pid);
  await until(async () => {
    const { json } = await before.ask("GET", `/api/activations/${activation.id}/deltas?after=1`);
    return json.events[0]?.type === "text-delta";
  });
  await before.kill();
  await until(() => cells.every((pid) => !isAlive(pid)));

  model.answer = () => ["whole ", "again"];
  await using after = await startDaemon(home.folder, env);
  await until(async () => (await eventsOf(after, "main")).length > 1);
  expect(await eventsOf(after, "main")).toMatchObject([
    { id: posted.id },
    { body: { text: "whole again" }, causes: [posted.id], activation: activation.id },
  ]);
});

test.each(["steer", "followup"])(
  "messages that wait in the queue during a kill are each answered once: %s",
  async (queue) => {
    await using model = createModel();
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}queue = "${queue}"\n`);
    model.answer = async function* () {
      await new Promise(() => {});
      yield "never";
    };
    const before = await startDaemon(home.folder, env);
    const ids: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      ids.push((await before.ask("POST", "/api/rooms/main/messages", { text: `message ${index}` })).json.id);
    }
    await before.kill();

    model.answer = (request) => [
      `re ${request.messages
        .findLast((message: Json) => message.role === "user")
        .content.split("\n")
        .at(-1)}`,
    ];
    await using after = await startDaemon(home.folder, env);
    const read = async (): Promise<Json[]> => (await after.ask("GET", "/api/rooms/main/events?limit=100")).json.events;
    const answered = async (): Promise<Json[]> => (await read()).filter((event) => event.causes.length > 0);
    await until(async () => (await answered()).flatMap(({ causes }) => causes).length >= ids.length);
    const replies = await answered();
    expect(replies.flatMap(({ causes }) => causes)).toEqual(ids);
    const texts = replies.map(({ body }) => body.text);
    if (queue === "followup") expect(texts).toEqual(ids.map((_, index) => `re message ${index}`));
    // The first activation began before the kill and merges the others when its model is asked
    // again.
    else expect(texts).toEqual(["re message 9"]);
  },
  300_000,
);

test("a reader of deltas resumes in the middle of a reply without a gap", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  const gate = Promise.withResolvers<void>();
  model.answer = async function* () {
    yield "one ";
    yield "two ";
    await gate.promise;
    yield "three ";
    yield "four";
  };
  await using house = await startDaemon(home.folder, env);
  await house.ask("POST", "/api/rooms/main/messages", { text: "count" });
  await until(async () => (await house.ask("GET", "/api/agents/main/activations?state=running")).json.length > 0);
  const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
  let text = "";
  let after = 0;
  const read = async (): Promise<Json[]> => {
    const { events, next } = (await house.ask("GET", `/api/activations/${id}/deltas?after=${after}&wait=5000`)).json;
    after = next;
    for (const event of events) if (event.type === "text-delta") text += event.text;
    return events;
  };
  await until(async () => {
    await read();
    return text.includes("two");
  });
  gate.resolve();
  let ended = false;
  await until(async () => {
    ended ||= (await read()).some(({ type }) => type === "end");
    return ended;
  });
  expect(text).toBe("one two three four");
});

test("an activation continues in a new cell when its cell is killed in the middle of a reply", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  model.answer = async function* () {
    asked.resolve();
    await gate.promise;
    yield "still here";
  };
  await using house = await startDaemon(home.folder, env);
  await house.ask("POST", "/api/rooms/main/messages", { text: "hi" });
  await asked.promise;
  const [cell] = (await house.ask("GET", "/api/status")).json.cells;
  process.kill(cell.pid, "SIGKILL");
  gate.resolve();
  await until(async () => (await eventsOf(house, "main")).length > 1);
  expect(await eventsOf(house, "main")).toMatchObject([{ body: { text: "hi" } }, { body: { text: "still here" } }]);
  expect(model.requests).toHaveLength(1);
});
