/**
 * A person asks for a reminder in a chat: it becomes a job that people can edit, and its reply
 * arrives in that chat once.
 */
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel, type Model, type Piece } from "./model.ts";
import { pairAna, startTelegram, type TelegramServer, TOKEN } from "./telegram-server.ts";

const configure = (home: string, telegram: TelegramServer, model: Model): Promise<void> =>
  writeFile(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}[channels.telegram]\nkind = "telegram"\ntoken = "env:BOT"\nbase_url = "${telegram.url}"\n`,
  );
const start = (home: string): Promise<Daemon> => startDaemon(home, { TEST_KEY: "k", BOT: TOKEN });

const textOf = ({ content }: Json): string => (typeof content === "string" ? content : JSON.stringify(content));
const offeredIn = ({ tools = [] }: Json): readonly string[] => tools.map((tool: Json) => tool.function.name);

/**
 * A model that finds a tool, calls it with this input and reports the result. It answers prompts of
 * jobs directly.
 */
const schedules =
  (input: Json, answer: string) =>
  (request: Json): Piece[] => {
    const last = request.messages.at(-1);
    if (last.role === "tool" && offeredIn(request).includes("schedule_task") && textOf(last).includes("schedule_task:"))
      return [{ tool: "schedule_task", input }];
    if (last.role === "tool") return [`Done. ${textOf(last)}`];
    return textOf(last).includes(input.prompt) ? [answer] : [{ tool: "find_tools", input: { query: "schedule" } }];
  };

const saidIn = async (daemon: Daemon): Promise<readonly string[]> =>
  (await daemon.ask("GET", "/api/rooms/main/events")).json.events.map(({ body }: Json) => body.text);

test("a daily job that a chat asks for is in the file and the list, and its reply is sent once to the room and the chat", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  const prompt = "Sum up what was done yesterday.";
  model.answer = schedules({ when: "every morning at nine", prompt, name: "summary" }, "Yesterday: three letters.");
  await configure(home.folder, telegram, model);
  await using daemon = await start(home.folder);
  await pairAna(telegram, daemon);

  telegram.say("Send me yesterday's summary every morning at nine.");
  await telegram.until((texts) =>
    texts.some((text) => text.startsWith("Done. It is scheduled as summary: every day at 09:00")),
  );
  const [first, second] = model.requests.map(offeredIn);
  expect([first?.includes("schedule_task"), second?.includes("schedule_task")]).toEqual([false, true]);
  const { jobs } = JSON.parse((await daemon.hearth("job", "list", "main", "--json")).stdout);
  expect(jobs).toMatchObject([{ name: "summary", prompt, status: "active", schedule: { cron: "0 9 * * *" } }]);
  expect((await daemon.hearth("job", "list", "main")).stdout).toContain("every day at 09:00");
  expect((await daemon.hearth("job", "show", "main", "summary")).stdout).toContain("direct room and in telegram,");
  const file = await readFile(join(home.folder, "brains/main/cron/jobs.toml"), "utf8");
  expect(file).toBe(`[jobs.summary]\ncron = "0 9 * * *"\nprompt = "${prompt}"\n`);

  const ran = await daemon.hearth("job", "run", "main", "summary");
  expect(ran.code).toBe(0);
  await telegram.until((texts) => texts.includes("Yesterday: three letters."));
  await until(
    async () => (await daemon.ask("GET", "/api/agents/main/jobs/summary/slots")).json[0].endedAt !== undefined,
  );
  expect((await saidIn(daemon)).slice(-2)).toEqual([prompt, "Yesterday: three letters."]);
  expect(telegram.api.sent().filter(({ text }) => text === "Yesterday: three letters.")).toHaveLength(1);
});

test("a reminder that a chat asks for arrives once, also after a kill", async () => {
  using home = createHome();
  await using telegram = startTelegram();
  await using model = createModel();
  model.answer = schedules({ when: "in 2 seconds", prompt: "Remind them: call Ana.", name: "call" }, "Call Ana!");
  await configure(home.folder, telegram, model);
  {
    await using daemon = await start(home.folder);
    await pairAna(telegram, daemon);
    telegram.say("Remind me in two seconds to call Ana.");
    await telegram.until((texts) => texts.some((text) => text.startsWith("Done. It is scheduled as call: once, on ")));
    await daemon.kill();
  }
  await using daemon = await start(home.folder);
  await telegram.until((texts) => texts.includes("Call Ana!"));
  await until(async () => (await daemon.ask("GET", "/api/agents/main/jobs/call")).json.last?.endedAt !== undefined);
  expect((await daemon.ask("GET", "/api/agents/main/jobs/call")).json).toMatchObject({
    status: "over",
    last: { fate: "fired" },
  });
  expect((await saidIn(daemon)).filter((text) => text === "Call Ana!")).toHaveLength(1);
  expect(telegram.api.sent().filter(({ text }) => text === "Call Ana!")).toHaveLength(1);
});
