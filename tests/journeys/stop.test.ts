import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel, type Model } from "./model.ts";

const env = { TEST_KEY: "key" };
/** Maximum duration of a stop: a second, multiplied by the load of the machine. */
const atOnceMs = (): number => 1000 * Math.max(1, ...loadavg());

/** A house whose main agent may run commands. */
const createStopHome = (model: Model): ReturnType<typeof createHome> => {
  const home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}tools = ["shell"]\n`);
  return home;
};

/** A duration far longer than the test. It is unique, so that its process can be identified. */
let count = 0;
const freshSleep = (): string => `60.${process.pid}${(count += 1)}`;

const isSleeping = (length: string): boolean =>
  readdirSync("/proc").some((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8") === `sleep\0${length}\0`;
    } catch {
      return false;
    }
  });

const lastSaid = ({ messages }: Json): string => String(messages.at(-1).content);

/** Makes the model run the command of the last message, or answer it. */
const obey = (model: Model): void => {
  model.answer = (request) => {
    const command = /run: (.*)$/.exec(lastSaid(request))?.[1];
    return command === undefined ? ["went on"] : [{ tool: "shell", input: { command } }];
  };
};

const activationsOf = async (house: Daemon, agent = "main"): Promise<readonly Json[]> =>
  (await house.ask("GET", `/api/agents/${agent}/activations`)).json.toReversed();
const replies = async (house: Daemon, room = "main"): Promise<readonly Json[]> =>
  (await house.ask("GET", `/api/rooms/${room}/events`)).json.events.filter(
    ({ causes }: Json) => (causes?.length ?? 0) > 0,
  );

test("C5, R21: stopping an agent ends its command and all its processes, holds its queue across a kill, and resume continues it", async () => {
  await using model = createModel();
  using home = createStopHome(model);
  obey(model);
  const [behind, before] = [freshSleep(), freshSleep()];
  {
    await using house = await startDaemon(home.folder, env);
    const say = (text: string) => house.ask("POST", "/api/rooms/main/messages", { text });
    await say(`run: sleep ${behind} & sleep ${before}; echo never`);
    await until(() => isSleeping(behind) && isSleeping(before));
    await say("and then?");
    await until(async () => (await activationsOf(house)).length === 2);

    const stopped = await house.hearth("agent", "stop", "main");
    expect([isSleeping(behind), isSleeping(before)]).toEqual([false, false]);
    expect(stopped).toMatchObject({ code: 0, stdout: "@main is stopped; 1 message waits\n" });
    const [[hold], [ended, waiting]] = [(await house.ask("GET", "/api/stops")).json, await activationsOf(house)];
    expect([ended.state, waiting.state]).toEqual(["stopped", "queued"]);
    expect(ended.endedAt - hold.at).toBeLessThan(atOnceMs());
    expect((await house.hearth("agent", "show", "main")).stdout).toMatch(/^state +stopped by .+, 1 message waits$/m);
    expect((await house.hearth("status")).stdout).toMatch(/^stopped +@main by .+ until: hearth agent resume main$/m);
    const { stdout: story } = await house.hearth("activation", "show", ended.id);
    expect(story).toMatch(/^woken by +a direct message by .+: run: sleep/m);
    expect(story).toMatch(/^state +stopped$/m);
    expect(story).toMatch(/ tool +shell +plain +/);
    await house.kill();
  }
  await using house = await startDaemon(home.folder, env);
  const asked = model.requests.length;
  expect((await house.hearth("agent", "list")).stdout).toMatch(/^@main is stopped by .+, 1 message waits$/m);
  expect(model.requests).toHaveLength(asked);
  expect(await house.hearth("agent", "resume", "main")).toMatchObject({ code: 0, stdout: "@main is resumed\n" });
  await until(async () => (await replies(house)).length === 1);
  const [, waited] = await activationsOf(house);
  expect((await replies(house))[0]).toMatchObject({ body: { text: "went on" }, causes: [waited.cause] });
  expect((await house.hearth("agent", "show", "main")).stdout).not.toContain("stopped by");
  expect((await house.ask("GET", "/api/stops")).json).toEqual([]);
});

test("stop-all ends the commands of three agents, and no agent starts a turn until resume-all", async () => {
  await using model = createModel();
  using home = createStopHome(model);
  obey(model);
  await using house = await startDaemon(home.folder, env);
  for (const name of ["Ben", "Cleo"]) {
    const content = { name, kind: "bot", model: "test/model", tools: ["shell"] };
    expect((await house.ask("POST", "/api/agents", { content })).status).toBe(201);
  }
  const agents = ["main", "ben", "cleo"];
  const rooms = new Map<string, string>();
  for (const agent of agents) rooms.set(agent, (await house.ask("POST", `/api/agents/${agent}/room`, {})).json.id);
  const say = (agent: string, text: string) => house.ask("POST", `/api/rooms/${rooms.get(agent)}/messages`, { text });
  const sleeps = agents.map(freshSleep);
  for (const [index, agent] of agents.entries()) await say(agent, `run: sleep ${sleeps[index]}`);
  await until(() => sleeps.every(isSleeping));

  expect((await house.hearth("stop-all")).code).toBe(0);
  expect(sleeps.map(isSleeping)).toEqual([false, false, false]);
  const [hold] = (await house.ask("GET", "/api/stops")).json;
  for (const agent of agents) {
    const [ended] = await activationsOf(house, agent);
    expect(ended.state).toBe("stopped");
    expect(ended.endedAt - hold.at).toBeLessThan(atOnceMs());
  }
  const asked = model.requests.length;
  for (const agent of agents) await say(agent, "are you there?");
  await until(async () => (await house.ask("GET", "/api/status")).json.activations.queued === 3);
  expect((await house.hearth("status")).stdout).toMatch(/^stopped +all agents by .+ until: hearth resume-all$/m);
  expect(model.requests).toHaveLength(asked);
  expect((await house.hearth("resume-all")).stdout).toBe("all agents are resumed\n");
  for (const agent of agents) await until(async () => (await replies(house, rooms.get(agent))).length === 1);
});

test('the message "stop" ends the command that runs in its room, and the waiting `chat` command reports it', async () => {
  await using model = createModel();
  using home = createStopHome(model);
  obey(model);
  await using house = await startDaemon(home.folder, env);
  const length = freshSleep();
  const waiting = house.hearth("chat", "-m", `run: sleep ${length}`);
  await until(() => isSleeping(length));
  expect(await house.hearth("chat", "-m", "Stop!")).toMatchObject({ code: 0, stdout: "" });
  expect(await waiting).toMatchObject({ code: 1, stdout: "", stderr: "hearth: Main was stopped.\n" });
  expect(isSleeping(length)).toBe(false);
  expect((await house.hearth("chat", "-m", "go on")).stdout).toBe("went on\n");
});

test("two people who ask during one turn both get the reply that answers them", async () => {
  await using model = createModel();
  using home = createStopHome(model);
  const go = Promise.withResolvers<void>();
  model.answer = async function* ({ messages }) {
    if (messages.at(-1).role === "user" && model.requests.length === 1) {
      await go.promise;
      yield { tool: "shell", input: { command: "true" } };
    } else yield messages.flatMap(({ role, content }: Json) => (role === "user" ? [content.at(-1)] : [])).join("+");
  };
  await using house = await startDaemon(home.folder, env);
  const first = house.hearth("chat", "-m", "question A");
  await until(() => model.requests.length === 1);
  const second = house.hearth("chat", "-m", "question B");
  await until(async () => (await activationsOf(house)).length === 2);
  // A stream of the merged activation ends.
  const followed = fetch(`${house.url}/api/activations/${(await activationsOf(house))[1].id}/deltas`, {
    headers: { authorization: `Bearer ${house.token}`, accept: "text/event-stream" },
  });
  const events = (await followed).text();
  go.resolve();
  for (const ended of [await first, await second]) expect(ended).toMatchObject({ code: 0, stdout: "A+B\n" });
  expect(await events).toContain('"type":"end"');
  const [host, merged] = await activationsOf(house);
  expect(merged).toMatchObject({ state: "skipped", mergedInto: host.id });
  const { stdout } = await house.hearth("activation", "show", host.id);
  expect(stdout).toMatch(new RegExp(`^answers +2 messages, also that of ${merged.id}$`, "m"));
  expect(stdout).toMatch(/ intake .* took in 1 message: question B$/m);
});
