/**
 * A daemon that is killed several times while a slow model thinks must not give up the messages.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, eventsOf, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const MESSAGES = 10;
const KILLS = 3;

test("ten messages that wait for a slow model are answered although the daemon is killed three times before the model answers", async () => {
  const env = { TEST_KEY: "key" };
  await using model = createModel();
  const over = Promise.withResolvers<void>();
  model.answer = async function* () {
    await over.promise;
    yield "Answered.";
  };
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  let room = "";
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using house = await startDaemon(home.folder, env);
    const before = model.requests.length;
    if (kill === 0) {
      room = (await house.ask("GET", "/api/rooms/main")).json.id;
      for (let index = 0; index < MESSAGES; index += 1)
        await house.ask("POST", `/api/rooms/${room}/messages`, { text: `message ${index}` });
      await until(() => model.requests.length > 0);
    } else await until(() => model.requests.length > before);
    await house.kill();
  }
  over.resolve();
  await using house = await startDaemon(home.folder, env);
  let events = await eventsOf(house, room);
  await until(async () => {
    events = await eventsOf(house, room);
    return new Set(events.flatMap(({ type, causes }) => (type === "message" ? causes : []))).size === MESSAGES;
  });
  const said = events.filter(({ causes }) => causes?.length === 0).map(({ id }) => id);
  expect(said).toHaveLength(MESSAGES);
  const answered = events.flatMap(({ causes }) => causes ?? []);
  expect(new Set(answered)).toEqual(new Set(said));
  expect(answered).toHaveLength(said.length);
  expect(events.filter(({ type }) => type === "activation-failed")).toEqual([]);
}, 120_000);
