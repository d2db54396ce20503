/** External bots from `examples/`: real processes and a real daemon, both of which are killed. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const env = { TEST_KEY: "key" };

const programs = {
  "echo-agent.ts": [process.execPath, "examples/echo-agent.ts"],
  "echo-agent.py": ["python3", "examples/echo-agent.py"],
} satisfies Record<string, readonly [string, string]>;
type Program = keyof typeof programs;

/** A running example. */
const start = (program: Program, house: Daemon, key: string) => {
  const child = Bun.spawn(programs[program], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HEARTH_URL: house.url, HEARTH_KEY: key, ECHO_STATE: stateOf(house.home) },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { kill, [Symbol.asyncDispose]: kill };
};

const stateOf = (home: string): string => join(home, "echo.json");

/** Creates a room with the bot Echo, and a key for Echo. */
const invite = async (house: Daemon): Promise<{ readonly room: string; readonly key: string }> => {
  const { json } = await house.ask("POST", "/api/rooms", { content: { name: "Den" } });
  expect((await house.hearth("agent", "add", "Echo", "--runs", "elsewhere", "--level", "none")).code).toBe(0);
  expect((await house.hearth("grant", "add", "echo", "w", "--on", "den")).code).toBe(0);
  const made = await house.hearth("key", "create", "--name", "echo", "--agent", "echo", "--level", "w");
  return { room: json.id, key: made.stdout.trim() };
};

const messagesIn = async (house: Daemon, room: string): Promise<readonly Json[]> =>
  (await house.ask("GET", `/api/rooms/${room}/events?limit=1000`)).json.events.filter(
    ({ type }: Json) => type === "message",
  );
const say = async (house: Daemon, room: string, text: string): Promise<Json> =>
  (await house.ask("POST", `/api/rooms/${room}/messages`, { text })).json;
const isRead = (house: Daemon, room: string): boolean =>
  existsSync(stateOf(house.home)) && JSON.parse(readFileSync(stateOf(house.home), "utf8"))[room] !== undefined;

const canRun = (program: Program): boolean => Bun.which(programs[program][0]) !== null;

for (const program of Object.keys(programs) as Program[])
  test.skipIf(!canRun(program))(
    `${program} answers every mention once, though it and the daemon are killed, and nothing else`,
    async () => {
      using home = createHome();
      let house = await startDaemon(home.folder);
      const flags = ["--port", new URL(house.url).port];
      const { room, key } = await invite(house);
      const isAnswered = ({ id }: Json) =>
        until(async () => (await messagesIn(house, room)).some(({ replyTo }) => replyTo === id));
      const asked: Json[] = [];
      const ask = async (text: string): Promise<Json> => {
        const message = await say(house, room, `@echo ${text}`);
        asked.push(message);
        return message;
      };

      let echo = start(program, house, key);
      try {
        await until(() => isRead(house, room));
        await isAnswered(await ask("one"));
        await say(house, room, "and this mentions no agent");
        await echo.kill();
        const away = await ask("two");
        echo = start(program, house, key);
        await isAnswered(away);
        await house.kill();
        house = await startDaemon(home.folder, {}, flags);
        await isAnswered(await ask("three"));
        await Promise.all([house.kill(), echo.kill()]);
        house = await startDaemon(home.folder, {}, flags);
        const last = await ask("four");
        echo = start(program, house, key);
        await isAnswered(last);

        const self = (await house.ask("GET", "/api/agents/echo")).json.id;
        const answers = (await messagesIn(house, room)).filter(({ author }) => author === self);
        expect(answers.map(({ replyTo, body }) => [replyTo, body.text])).toEqual(
          asked.map(({ id, body }) => [id, `You said: ${body.text}`]),
        );
        // The house runs no activation for it.
        expect((await house.ask("GET", "/api/agents/echo/activations")).json).toEqual([]);
      } finally {
        await echo.kill();
        await house.stop();
      }
    },
    300_000,
  );

test("an external bot and a bot of the house that mention each other come to rest, and a person is still answered", async () => {
  await using model = createModel();
  model.answer = () => ["Well, @main and @echo, what now?"];
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  await using house = await startDaemon(home.folder, env);
  const { room, key } = await invite(house);
  await using _echo = start("echo-agent.ts", house, key);
  await until(() => isRead(house, room));

  const [main, echo] = await Promise.all(
    ["main", "echo"].map(async (name) => (await house.ask("GET", `/api/agents/${name}`)).json.id),
  );
  const rows = async (): Promise<readonly Json[]> =>
    (await house.ask("GET", `/api/agents/main/activations?limit=1000`)).json;
  const skips = async (): Promise<readonly Json[]> => (await rows()).filter(({ skip }) => skip !== undefined);
  /** Waits until both have read everything and no activation runs. */
  const rests = async (): Promise<boolean> => {
    const last = (await messagesIn(house, room)).at(-1);
    return last.author === echo && (await rows()).every(({ state }) => state === "replied" || state === "skipped");
  };

  for (const round of [1, 2]) {
    const { id } = await say(house, room, "@main begin");
    await until(async () => (await skips()).length === round);
    expect(await rests()).toBe(true);
    const woken = (await rows()).filter(({ root }) => root === id);
    expect(woken.find(({ cause }) => cause === id)).toMatchObject({ state: "replied", depth: 0 });
    // The external bot counts in the chain.
    expect(woken.map(({ depth }) => depth).toSorted((a, b) => a - b)).toEqual([0, 2, 4, 6]);
    expect(woken.find(({ depth }) => depth === 6)).toMatchObject({ state: "skipped", skip: "depth" });
  }
  const said = await messagesIn(house, room);
  expect(said.filter(({ author }) => author === main)).toHaveLength(6);
  expect(said.filter(({ author }) => author === echo)).toHaveLength(6);
}, 300_000);
