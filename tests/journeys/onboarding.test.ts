/** A new user sets up a house with `hearth onboard`, at a terminal and with a file of answers. */
import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, hearth, isAlive, type Json, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { createModel } from "./model.ts";
import { startTelegram, TOKEN } from "./telegram-server.ts";
import { atTerminal, keys } from "./terminal.ts";

const KEY = "sk-onboarding-5550123";

/** A home whose house uses a free port, and is stopped at the end if it runs. */
const createOwnHome = async () => {
  const home = createHome();
  await writeFile(join(home.folder, "hearth.toml"), "version = 1\n\n[server]\nport = 0\n");
  const read = (name: string) => readFile(join(home.folder, "run", name), "utf8").then((text) => text.trim());
  const ask = async (path: string): Promise<Json> => {
    const headers = { authorization: `Bearer ${await read("token")}` };
    return (await fetch(`${await read("url")}${path}`, { headers })).json();
  };
  return {
    folder: home.folder,
    ask,
    pid: async () => Number(await read("pid")),
    run: (...words: readonly string[]) => hearth([...words, "--home", home.folder]),
    repliesOf: async (room: string): Promise<readonly string[]> =>
      (await ask(`/api/rooms/${room}/events`)).events.map(({ body }: Json) => body.text),
    async [Symbol.asyncDispose]() {
      const pid = await read("pid").then(Number, () => undefined);
      if (pid !== undefined) {
        await hearth(["stop", "--home", home.folder]);
        await until(() => !isAlive(pid));
      }
      home[Symbol.dispose]();
    },
  };
};

/** The arguments of every process of this machine. */
const listArguments = async (): Promise<readonly string[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
};

test("at a terminal: a model with a key, and a reminder that fires, in a house that onboarding started", async () => {
  await using home = await createOwnHome();
  await using model = createModel();
  model.answer = (request) => [JSON.stringify(request.messages).includes("Water the plants") ? "Plants!" : "Hello."];
  const words = ["onboard", "--home", home.folder];
  {
    await using terminal = atTerminal(words);
    await terminal.answer("What is your name?", `Ada${keys.enter}`);
    await terminal.answer("What is your time zone?", keys.enter);
    await terminal.answer("What is your agent called?", `${"\u007f".repeat(4)}Ember${keys.enter}`);
    await terminal.answer("What is it for?", `Waters plants.${keys.enter}`);
    await terminal.answer("Where does its language model run?", keys.up + keys.enter);
    await terminal.answer("What is its address?", model.baseUrl + keys.enter);
    await terminal.answer("Its API key", KEY + keys.enter);
    // The key was read, and is not an argument of a process.
    await terminal.answer("Which model?", "");
    for (const line of await listArguments()) expect(line).not.toContain(KEY);
    await terminal.answer("model", keys.enter);
    await terminal.answer("Where else should your agent answer?", keys.enter);
    await terminal.answer("What should your agent remind you of?", `Water the plants${keys.enter}`);
    await terminal.answer("When?", `at the twelfth of never${keys.enter}`);
    await terminal.answer("■", "");
    await terminal.answer("When?", `in 1 second${keys.enter}`);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).not.toContain(KEY);
  }
  expect(model.keys.every((key) => key === `Bearer ${KEY}`)).toBe(true);
  expect(await home.ask("/api/me")).toMatchObject({
    agent: { content: { name: "Ada" } },
    house: { content: { welcomedAt: expect.any(Number) } },
  });
  expect(await home.ask("/api/agents/ember")).toMatchObject({
    content: { name: "Ember", prompt: "Waters plants.", model: "server/model" },
  });
  await until(async () => (await home.repliesOf("ember")).includes("Plants!"));
  const holders = [...(await readHome(home.folder))].filter(([, bytes]) => bytes.includes(KEY)).map(([path]) => path);
  expect(holders).toEqual([expect.stringMatching(/^keys\//)]);

  // Again: it shows what is set, and Ctrl-C ends it.
  await using again = atTerminal(words);
  await again.answer("Now: Ada", "");
  await again.answer("What is your name?", keys.enter);
  await again.answer("What is your time zone?", keys.enter);
  await again.answer("Now: Ember: Waters plants.", "");
  await again.answer("What is your agent called?", keys.interrupt);
  expect(await again.exited).toBe(2);
  expect(again.screen()).toContain("To answer the rest: hearth onboard");
});

test("with a file of answers: everything is set and tested, and the same file again changes nothing", async () => {
  await using home = await createOwnHome();
  await using model = createModel();
  await using telegram = startTelegram();
  const path = (name: string) => join(home.folder, "..", `${home.folder.split("/").at(-1)}-${name}`);
  const [file, key, token] = [path("answers.json"), path("key"), path("token")];
  await Bun.write(key, KEY);
  await Bun.write(token, TOKEN);
  const answers = {
    person: { name: "Ada", timezone: "Asia/Tokyo" },
    agent: { name: "Ember", purpose: "Waters plants." },
    model: { provider: "box", kind: "openai", baseUrl: model.baseUrl, model: "model", apiKey: `file:${key}` },
    channel: { kind: "telegram", baseUrl: telegram.url, token: `file:${token}` },
    reminder: { text: "Water the plants", when: "every saturday at 10" },
  };
  try {
    await Bun.write(file, JSON.stringify(answers));
    const first = await home.run("onboard", "--answers", file, "--json");
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const { started, answers: outcomes } = JSON.parse(first.stdout);
    expect([started, outcomes.map(({ state }: Json) => state)]).toEqual([true, Array(5).fill("set")]);
    expect(first.stdout).not.toContain(TOKEN);
    expect(model.requests).toHaveLength(1);
    expect(await home.ask("/api/channels")).toMatchObject([{ name: "telegram", state: "ready", agent: "ember" }]);
    const before = await readFile(join(home.folder, "hearth.toml"), "utf8");

    const second = await home.run("onboard", "--answers", file, "--json");
    expect(JSON.parse(second.stdout)).toMatchObject({ started: false });
    expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toBe(before);
    expect((await home.ask("/api/agents/ember/jobs")).jobs).toMatchObject([{ name: "water-the-plants" }]);

    // A model that does not answer leaves no provider behind, and the other answers count.
    const wrong = { model: { ...answers.model, provider: "other", model: "gone" }, agent: { purpose: "Sings." } };
    await Bun.write(file, JSON.stringify(wrong));
    model.refuse = () => Response.json({ error: { message: "no such model" } }, { status: 404 });
    const third = await home.run("onboard", "--answers", file);
    expect([third.code, third.stdout]).toEqual([1, expect.stringContaining("agent: Your agent is Ember")]);
    expect(third.stderr).toContain("model: The test of other/gone failed");
    expect(JSON.stringify(await home.ask("/api/providers"))).not.toContain('"other"');
    expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toBe(before);
  } finally {
    for (const each of [file, key, token]) await Bun.file(each).unlink();
  }
});

test("a home that cannot be used is refused as by `hearth up`", async () => {
  using home = createHome();
  await writeFile(join(home.folder, "thesis.txt"), "mine");
  const ended = await hearth(["onboard", "--yes", "--home", home.folder]);
  expect(ended).toMatchObject({ code: 16, stderr: expect.stringContaining("thesis.txt") });
  expect(await readdir(home.folder)).toEqual(["thesis.txt"]);
});
