import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { found, spend } from "@hearth/protocol/until";
import { createHome, hearth, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const env = { TEST_KEY: "key" };
/** Longer than a reader's key check, a retry, or a cell's shutdown. */
const PAUSE_MS = 2500;

/**
 * Retries a request whose connection was closed. A resumed house closes connections that were idle
 * too long.
 */
const again = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => found(() => ask().catch(() => undefined));

test("R9: a daemon that is suspended during work and resumed loses nothing, and open sockets receive the missed events", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  model.answer = async function* () {
    yield "before ";
    asked.resolve();
    await gate.promise;
    yield "and after";
  };
  await using house = await startDaemon(home.folder, env);
  const room: string = (await house.ask("GET", "/api/rooms/main")).json.id;
  const seen: Json[] = [];
  let dropped = 0;
  const subscribed = Promise.withResolvers<void>();
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws`, {
    headers: { authorization: `Bearer ${house.token}` },
  } as never);
  socket.onopen = () => socket.send(JSON.stringify({ op: "subscribe", id: 1, stream: `room:${room}`, after: 0 }));
  socket.onclose = () => (dropped += 1);
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    subscribed.resolve();
    if (frame.type === "events") seen.push(...frame.events);
  };
  await subscribed.promise;
  const first = (await house.ask("POST", "/api/rooms/main/messages", { text: "one" })).json;
  await asked.promise;
  await until(() => seen.length === 1);

  process.kill(house.pid, "SIGSTOP");
  // If the test fails here, it must not leave a suspended process, which ignores SIGTERM.
  using _awake = { [Symbol.dispose]: () => void process.kill(house.pid, "SIGCONT") };
  const late = again(() => house.ask("POST", "/api/rooms/main/messages", { text: "two", idempotencyKey: "two" }));
  const reading = again(() => house.ask("GET", "/api/rooms/main/events?after=1&wait=10000"));
  gate.resolve();
  await spend(PAUSE_MS);
  expect(seen.map(({ id }) => id)).toEqual([first.id]);
  process.kill(house.pid, "SIGCONT");

  const second = await late;
  expect([200, 201]).toContain(second.status);
  expect((await reading).json.events.length).toBeGreaterThan(0);
  const answered = (): string[] => seen.flatMap(({ causes }) => causes);
  await until(() => answered().length >= 2);
  expect(new Set(answered())).toEqual(new Set([first.id, second.json.id]));
  expect(answered()).toHaveLength(2);
  expect(seen.map(({ offset }) => offset)).toEqual(seen.map((_, index) => index + 1));
  expect((await house.ask("GET", "/api/rooms/main/events")).json.events).toEqual(seen);
  expect(dropped).toBe(0);
  socket.close();
});

test("R19: a second daemon on the home of a suspended one is refused with 17, and the first continues", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  process.kill(house.pid, "SIGSTOP");
  try {
    expect(await hearth(["up", "--home", home.folder, "--port", "0"])).toMatchObject({ code: 17 });
  } finally {
    process.kill(house.pid, "SIGCONT");
  }
  expect((await house.ask("GET", "/api/status")).status).toBe(200);
});
