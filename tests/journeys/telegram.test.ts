/**
 * A person talks with an agent in Telegram: they are paired once and answered once, despite kills
 * of the house.
 */
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spend } from "@hearth/protocol/until";
import { createHome, type Daemon, hearth, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { pairAna, startTelegram, TOKEN } from "./telegram-server.ts";
import { configure, start } from "./telegram-house.ts";

const lastWords = (request: { messages: readonly { role: string; content: unknown }[] }): string =>
  JSON.stringify(request.messages.at(-1)?.content);

test("a stranger gets a pairing code, the owner approves it, and the agent answers in their chat", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = () => ["**Well**, hello from `home`."];
  await configure(home.folder, telegram, model);
  await using daemon = await start(home.folder);
  await pairAna(telegram, daemon);
  expect(model.requests).toHaveLength(0);
  const before = telegram.api.sent().length;
  telegram.say("are you there?");
  await telegram.until((texts) => texts.some((text) => text === "Well, hello from home."));
  const answer = telegram.api
    .sent()
    .slice(before)
    .find(({ text }) => text.startsWith("Well"));
  expect([...(answer?.tags ?? [])].toSorted((a, b) => a.localeCompare(b))).toEqual(["b", "code"]);
  expect(lastWords(model.requests[0])).toContain("are you there?");
  // The owner sees the same room in the browser. A message from there is answered only there.
  await daemon.hearth("chat", "-m", "and here?");
  const { json } = await daemon.ask("GET", "/api/rooms/main/events");
  expect(json.events.map(({ body }: { body: { text: string } }) => body.text)).toEqual([
    ...["are you there?", "**Well**, hello from `home`.", "and here?", "**Well**, hello from `home`."],
  ]);
  expect(telegram.api.sent().filter(({ text }) => text.startsWith("Well"))).toHaveLength(1);
  const fates = await daemon.hearth("room", "fates", "main", "--json");
  expect(JSON.parse(fates.stdout)).toMatchObject([
    { channel: "telegram", fate: { kind: "answered", delivery: "sent" } },
    { fate: { kind: "answered", delivery: "none" } },
  ]);
});

test("ten messages are each answered once and in order, although the daemon is killed repeatedly", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = async function* (request) {
    await spend(15);
    yield `re ${/message (\d+)/g.exec(lastWords(request as never))?.[1] ?? "?"}`;
  };
  await configure(home.folder, telegram, model);
  {
    await using daemon = await start(home.folder);
    await pairAna(telegram, daemon);
  }
  for (let count = 0; count < 10; count += 1) telegram.say(`message ${count}`);
  const isDone = async (daemon: Daemon): Promise<boolean> => {
    const { json } = await daemon.ask("GET", "/api/rooms/main/fates?limit=100");
    return (
      json.fates.length === 10 &&
      json.fates.every(
        ({ fate }: { fate: { kind: string; delivery?: string } }) =>
          fate.kind === "answered" && (fate.delivery === "sent" || fate.delivery === "unknown"),
      )
    );
  };
  for (let life = 0; life < 4; life += 1) {
    const daemon = await start(home.folder);
    const answered = telegram.api.sent().length;
    // Wait for two more, or for the last one. An interrupted delivery is not repeated, so it may be
    // missing.
    await until(async () => telegram.api.sent().length > answered + 1 || (await isDone(daemon)));
    await daemon.kill();
  }
  await using daemon = await start(home.folder);
  await until(() => isDone(daemon));
  const { json } = await daemon.ask("GET", "/api/rooms/main/fates?limit=100");
  const unknown = json.fates.filter(({ fate }: { fate: { delivery?: string } }) => fate.delivery === "unknown").length;
  const texts = telegram.api
    .sent()
    .map(({ text }) => text)
    .filter((text) => text.startsWith("re "));
  // A delivery that a kill interrupted has an unknown outcome. It is not repeated, and its state
  // says so.
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(10 - unknown);
  expect(unknown).toBeLessThanOrEqual(4);
  expect(texts).toEqual(texts.toSorted((a, b) => Number(a.slice(3)) - Number(b.slice(3))));
});

test("R12: a webhook is accepted only with its secret, and a repeated update is stored as one message", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = () => ["once"];
  await configure(
    home.folder,
    telegram,
    model,
    'mode = "webhook"\nwebhook_url = "https://home.example/hooks/telegram"\nwebhook_secret = "env:HOOK"\n',
  );
  await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", BOT: TOKEN, HOOK: "the-secret-of-the-hook" });
  const deliver = async (id: number, secret: string): Promise<number> => {
    const response = await fetch(`${daemon.url}/hooks/telegram`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
      body: JSON.stringify(telegram.api.update(id)),
    });
    await response.text();
    return response.status;
  };
  await until(() => telegram.api.calls().some(({ method }) => method === "setWebhook"));
  const first = telegram.say("hello?");
  expect(await deliver(first, "a-guess")).toBe(401);
  expect(telegram.api.sent()).toHaveLength(0);
  expect(await deliver(first, "the-secret-of-the-hook")).toBe(200);
  const [text = ""] = await telegram.until((texts) => texts.length === 1);
  await daemon.hearth("pairing", "approve", /\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b/.exec(text)?.[0] ?? "", "--as", "owner");
  const second = telegram.say("again and again");
  for (let times = 0; times < 3; times += 1) expect(await deliver(second, "the-secret-of-the-hook")).toBe(200);
  await telegram.until((texts) => texts.includes("once"));
  await until(async () => (await daemon.ask("GET", "/api/status")).json.activations.running === 0);
  const { json } = await daemon.ask("GET", "/api/rooms/main/events");
  expect(json.events.map(({ body }: { body: { text: string } }) => body.text)).toEqual(["again and again", "once"]);
  expect(telegram.api.sent().filter(({ text: sent }) => sent === "once")).toHaveLength(1);
});

test("the buttons of a call that was decided in the house disappear in Telegram, despite a rate limit, a lost answer and a kill", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = ({ messages }: { messages: readonly { role: string }[] }) =>
    messages.at(-1)?.role === "tool" ? ["done"] : [{ tool: "write", input: { path: "a.txt", content: "x" } }];
  await configure(home.folder, telegram, model);
  const config = join(home.folder, "hearth.toml");
  const text = await readFile(config, "utf8");
  await writeFile(config, text.replace("[channels.", 'tools = ["write"]\nmode = "ask"\n[channels.'));
  const labels = () => telegram.api.sent().flatMap(({ buttons }) => buttons.map((button) => button.text));
  const edits = () => telegram.api.calls().filter(({ method }) => method === "editMessageReplyMarkup").length;
  {
    await using daemon = await start(home.folder);
    await pairAna(telegram, daemon);
    telegram.say("write it");
    await until(() => labels().length === 2);
    const lost = { kind: "after", error: new TypeError("the connection was lost") } as const;
    telegram.api.failNext("editMessageReplyMarkup", {
      ...{ kind: "no", status: 429, description: "Too Many Requests: retry after 1", retryAfter: 1 },
    });
    telegram.api.failNext("editMessageReplyMarkup", lost);
    const [{ id }] = JSON.parse((await daemon.hearth("approval", "list", "--json")).stdout);
    expect((await daemon.hearth("approval", "deny", id)).code).toBe(0);
    await until(() => edits() === 1);
    await daemon.kill();
  }
  expect(labels()).toEqual(["Allow once", "Deny"]);
  await using daemon = await start(home.folder);
  await until(() => edits() === 3);
  expect(labels()).toEqual([expect.stringMatching(/^Denied by .+\.$/)]);
  await until(async () => {
    const { stdout } = await daemon.hearth("channel", "show", "telegram", "--json");
    return !/"state": *"(queued|sending)"/.test(stdout);
  });
  expect(telegram.api.sent().filter(({ text: said }) => said.includes("asks for approval of this call"))).toHaveLength(
    1,
  );
}, 300_000);

test("a channel is added, changed and removed while the house runs, by command and in the file", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = () => ["Hello."];
  const path = join(home.folder, "hearth.toml");
  const text = `${configFor(model.baseUrl)}queue = "followup"\n# a comment\n`;
  await writeFile(path, text);
  await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", BOT: TOKEN });
  const add = ["channel", "add", "telegram", "--token-stdin", "--base-url", telegram.url];
  const withToken = ["sh", "-c", 'printf %s "$TYPED" | "$0" "$@"'];
  const type = (...words: readonly string[]) => hearth([...words, "--home", home.folder], { TYPED: TOKEN }, withToken);
  expect((await type(...add, "--agent", "unknown")).stderr).toContain("unknown");
  expect((await type(...add)).stdout).toContain("added telegram; @main answers there");
  expect(await readFile(path, "utf8")).toStartWith(text);
  expect(await readFile(path, "utf8")).not.toContain(TOKEN);
  await pairAna(telegram, daemon);
  telegram.say("one");
  await telegram.until((texts) => texts.filter((text) => text === "Hello.").length === 1);

  const added = await readFile(path, "utf8");
  const refused = await hearth(
    ["channel", "edit", "telegram", "--token-stdin", "--home", home.folder],
    { TYPED: "4242:wrong" },
    withToken,
  );
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("Nothing has changed.")]);
  expect(await readFile(path, "utf8")).toBe(added);
  expect((await type("channel", "edit", "telegram", "--token-stdin")).stdout).toContain("changed telegram");
  expect(await readFile(path, "utf8")).toBe(added.replace("keys/channel.telegram", "keys/channel.telegram-2"));
  await daemon.ask("POST", "/api/agents", { content: { name: "Helper", kind: "bot", model: "test/any" } });
  expect((await daemon.hearth("channel", "edit", "telegram", "--agent", "helper")).stdout).toContain("@helper answers");
  telegram.say("to the helper");
  await until(async () => (await daemon.ask("GET", "/api/agents/helper/activations")).json.length === 1);
  await telegram.until((texts) => texts.filter((text) => text === "Hello.").length === 2);
  expect((await daemon.hearth("channel", "edit", "telegram", "--agent", "main")).code).toBe(0);
  telegram.say("back");
  await telegram.until((texts) => texts.filter((text) => text === "Hello.").length === 3);

  const broken = `${await readFile(path, "utf8")}mode = "sideways"\n`;
  await writeFile(path, broken);
  const config = async () =>
    (await daemon.ask("GET", "/api/doctor")).json.find(({ name }: { name: string }) => name === "config");
  await until(async () => !(await config()).ok);
  expect((await config()).detail).toMatch(/line \d+.*The last valid settings are in force\.$/);
  telegram.say("two");
  await telegram.until((texts) => texts.filter((text) => text === "Hello.").length === 4);

  await writeFile(path, text);
  await until(async () => (await daemon.ask("GET", "/api/channels")).json.length === 0);
  telegram.say("three");
  await writeFile(
    path,
    `${text}[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n`,
  );
  await telegram.until((texts) => texts.filter((text) => text === "Hello.").length === 5);
  expect((await daemon.hearth("channel", "remove", "telegram")).code).toBe(0);
  expect((await daemon.ask("GET", "/api/channels")).json).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(text);
});
