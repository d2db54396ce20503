import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHome, type Daemon, startDaemon, until } from "./daemon.ts";
import { END, follow, type Seen, type Sleepers } from "./follower.ts";

const FOLLOWERS = 100;
const ROOMS = 20;
const MESSAGES = 60;
const SLOW = 5;
/** More bytes than all buffers can hold. */
const HEAVY = 60;
const HEAVY_TEXT = "x".repeat(190_000);

const makeRoom = async (house: Daemon, name: string): Promise<string> =>
  (await house.ask("POST", "/api/rooms", { content: { name } })).json.id;
const post = async (house: Daemon, room: string, text: string): Promise<void> => {
  expect((await house.ask("POST", `/api/rooms/${room}/messages`, { text })).status).toBe(201);
};

/** Starts readers in a separate process, which stalls until it is woken. */
const startSleepers = (sleepers: Sleepers) => {
  const program = fileURLToPath(new URL("follower.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "--no-install", program, JSON.stringify(sleepers)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  return {
    async wake() {
      await child.stdin.write("\n");
      await child.stdin.end();
    },
    seen: async (): Promise<readonly Seen[]> => JSON.parse(await new Response(child.stdout).text()),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};

/** How many readers the house has disconnected, from its log. */
const cutOff = async (home: string): Promise<number> =>
  (await readFile(join(home, "logs/hearth.log"), "utf8")).split("a reader takes nothing and is cut off").length - 1;

test("a hundred followers get every message of a busy house once; readers that stall are disconnected and lose none", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const { url, token } = house;
  const [great, heavy] = [await makeRoom(house, "Great"), await makeRoom(house, "Heavy")];
  const rooms: string[] = [];
  for (let index = 0; index < ROOMS; index += 1) rooms.push(await makeRoom(house, `Room ${index}`));

  const say = async (room: string, count: number, textOf: (index: number) => string): Promise<void> => {
    for (let index = 0; index < count; index += 1) await post(house, room, textOf(index));
    await post(house, room, END);
  };
  await say(heavy, HEAVY, () => HEAVY_TEXT);
  await using sleepers = startSleepers({ url, token, rooms: [great, heavy], count: SLOW });
  const followers = Array.from({ length: FOLLOWERS }, () => follow(url, token, [great]));
  const besides = follow(url, token, rooms);
  await Promise.all([...followers, besides].map((follower) => follower.subscribed));

  await Promise.all([
    say(great, MESSAGES, String),
    ...rooms.map((room) => say(room, MESSAGES / 4, (index) => `${room} ${index}`)),
  ]);

  const expected = [...Array.from({ length: MESSAGES }, (_, index) => String(index)), END];
  const once = { lost: 0, doubled: 0 };
  for (const { seen } of followers) expect(await seen).toEqual({ ...once, cut: 0, texts: { [great]: expected } });
  expect(await besides.seen).toEqual({
    ...{ ...once, cut: 0 },
    texts: Object.fromEntries(
      rooms.map((room) => [room, [...Array.from({ length: MESSAGES / 4 }, (_, index) => `${room} ${index}`), END]]),
    ),
  });
  await until(async () => (await cutOff(home.folder)) === SLOW);
  await sleepers.wake();
  for (const { texts, cut, lost, doubled } of await sleepers.seen()) {
    expect([cut, lost, doubled]).toEqual([1, 0, 0]);
    expect([texts[great], texts[heavy]?.map((text) => text.length)]).toEqual([
      expected,
      [...Array.from({ length: HEAVY }, () => HEAVY_TEXT.length), END.length],
    ]);
  }
}, 300_000);
