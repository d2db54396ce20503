/**
 * Forgotten text is in no file of the home, while the house runs and after a restart. Other text is
 * kept.
 */
import { expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, createModel, type Model, type Piece } from "./model.ts";

const WORD = "zanzibar-otter-4711";
const SECRET = `The locker in the hall opens with ${WORD} since last spring.`;
const BESIDE = "The bicycle in the yard is painted red and has no bell.";
const LIMIT_MS = 300_000;
const TOOLS = ["remember", "recall", "read_brain", "write_brain", "forget", "http_fetch", "time"];

const open = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}tools = ${JSON.stringify(TOOLS)}\n[egress]\nloopback = true\n`,
  );
  return startDaemon(home, { TEST_KEY: "key" });
};

const isHouses = (request: Json): boolean => JSON.stringify(request.messages[0]).includes("You keep the memory of");

/** Runs a turn: the model makes one call per round, then answers. Returns its first request. */
const turn = async (
  house: Daemon,
  model: Model,
  text: string,
  calls: readonly Exclude<Piece, string>[],
  reply: string,
): Promise<string> => {
  let given = "";
  model.answer = (request) => {
    if (isHouses(request)) return summarise(request);
    const done = request.messages.slice(lastUser(request)).filter(({ role }: Json) => role === "tool").length;
    if (done === 0) given = JSON.stringify(request.messages);
    return [calls[done] ?? reply];
  };
  const { code, stderr } = await house.hearth("chat", "main", "-m", text);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return given;
};

const lastUser = ({ messages }: Json): number => messages.findLastIndex(({ role }: Json) => role === "user");

/** Answers compaction requests with notes and a summary that repeat the secret if the input has it. */
const summarise = (request: Json): readonly Piece[] => {
  const said = request.messages
    .slice(1, -1)
    .map(({ content }: Json) => JSON.stringify(content))
    .join(" ");
  const kept = said.includes(WORD) ? [SECRET, BESIDE] : [BESIDE];
  return request.tools === undefined || request.tools.length === 0
    ? [`They spoke of this: ${kept.join(" ")}`]
    : kept.map((text) => ({ tool: "remember", input: { text } }));
};

const holdersOf = async (folder: string, word: string): Promise<readonly string[]> =>
  [...(await readHome(folder))]
    .filter(([, bytes]) => bytes.includes(word))
    .map(([path]) => path)
    .sort();

const eventsOf = async (house: Daemon): Promise<readonly Json[]> =>
  (await house.ask("GET", "/api/rooms/main/events?after=0&limit=1000")).json.events;

/** Waits until the turn is in the day's log, which is written some seconds later. */
const untilLogged = async (house: Daemon, folder: string): Promise<void> => {
  const [{ id }] = JSON.parse((await house.hearth("activation", "list", "main", "--limit", "1", "--json")).stdout);
  await until(async () =>
    [...(await readHome(folder))].some(([path, bytes]) => /brains\/main\/memory\//.test(path) && bytes.includes(id)),
  );
};

/**
 * Expects that no file contains the text and that other text is kept: now, after undoing
 * everything, and after a restart.
 */
const requireGone = async (house: Daemon, model: Model, home: string): Promise<Daemon> => {
  expect(await holdersOf(home, WORD)).toEqual([]);
  expect(await holdersOf(home, BESIDE)).not.toEqual([]);
  await house.hearth("brain", "undo", "main", "--since", "2000-01-01T00:00:00Z");
  expect(await holdersOf(home, WORD)).toEqual([]);
  const given = await turn(
    house,
    model,
    "what do you know of the locker?",
    [{ tool: "recall", input: { query: "locker hall opens" } }],
    "nothing",
  );
  expect(given).not.toContain(WORD);
  expect(JSON.stringify(model.requests.at(-1))).not.toContain(WORD);
  await house.stop();
  expect(await holdersOf(home, WORD)).toEqual([]);
  const again = await open(home, model);
  expect(JSON.stringify(await eventsOf(again))).not.toContain(WORD);
  // The index is complete when it has caught up with the files.
  await until(async () => (await again.hearth("memory", "check")).code === 0);
  expect(await holdersOf(home, WORD)).toEqual([]);
  return again;
};

test(
  "forgetting a message erases it from memory, replies, the day's log, summaries and the room",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    const remember = (text: string): Exclude<Piece, string> => ({ tool: "remember", input: { text } });
    await turn(house, model, SECRET, [remember(SECRET)], `Noted: ${WORD}.`);
    await turn(house, model, BESIDE, [remember(BESIDE)], "Noted.");
    await turn(house, model, "which was it?", [{ tool: "recall", input: { query: "locker" } }], "It is written down.");
    await untilLogged(house, home.folder);
    expect((await house.hearth("agent", "compact", "main")).code).toBe(0);
    const given = await turn(house, model, "and now?", [], "Now it is short.");
    expect(given).toContain("They spoke of this");
    expect((await holdersOf(home.folder, WORD)).length).toBeGreaterThan(3);

    const [said] = await eventsOf(house);
    const { code, stdout, stderr } = await house.hearth("memory", "forget", said.id);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("MEMORY.md");
    const events = await eventsOf(house);
    expect(events[0]).toMatchObject({ id: said.id, offset: said.offset, body: { text: "" } });
    expect(events.filter(({ type }) => type === "message-deleted").map(({ message }) => message)).toContain(said.id);
    const [compaction] = (await house.ask("GET", "/api/agents/main/compactions")).json;
    expect(compaction).toMatchObject({ state: "over", reason: "Its source was forgotten." });
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);

test(
  "forgetting a web page erases what was remembered and written after it was read",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    await using page = {
      server: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(`${SECRET}\n`) }),
      [Symbol.asyncDispose]: async () => {},
    };
    const url = `${page.server.url.origin}/page`;
    const egress = [{ host: "127.0.0.1", port: page.server.port, methods: ["GET"], path: "/" }];
    expect((await house.ask("PATCH", "/api/agents/main", { content: { egress } })).status).toBe(200);
    await turn(house, model, BESIDE, [{ tool: "remember", input: { text: BESIDE } }], "Noted.");
    const calls = [
      { tool: "http_fetch", input: { url } },
      { tool: "remember", input: { text: SECRET } },
    ];
    await turn(house, model, `read ${url}`, calls, `It says ${WORD}.`);
    await turn(house, model, "and the yard?", [], "Nothing is there but a bicycle.");
    await untilLogged(house, home.folder);
    expect((await holdersOf(home.folder, WORD)).length).toBeGreaterThan(1);
    const { code, stderr } = await house.hearth("memory", "forget", "127.0.0.1");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    // The session had read the page by then, but this text has nothing of it.
    expect(stderr).toMatch(/kept, written in a turn that had read it: evt_\w+ “Nothing is there but a bicycle\.”/);
    expect(stderr).toContain("--replies");
    expect(JSON.stringify(await eventsOf(house))).toContain("Nothing is there but a bicycle.");
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
    await page.server.stop(true);
  },
  LIMIT_MS,
);

test(
  "forgetting a brain file and a fact erases them from prompts and recalls of turns",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    expect((await house.hearth("memory", "remember", BESIDE)).code).toBe(0);
    expect((await house.hearth("memory", "remember", SECRET)).code).toBe(0);
    const file = join(home.folder, "brains/main/notes.md");
    writeFileSync(file, `# Notes\n${SECRET} It is blue.\n`);
    const calls = [
      { tool: "recall", input: { query: "locker" } },
      { tool: "read_brain", input: { path: "notes.md" } },
    ];
    const given = await turn(house, model, "what opens the locker?", calls, `It opens with this: ${SECRET}`);
    expect(given).toContain(WORD);
    appendFileSync(file, "More of it.\n");
    await untilLogged(house, home.folder);
    for (const source of ["notes.md", "MEMORY.md:2"]) {
      const { code, stderr } = await house.hearth("memory", "forget", source);
      expect({ source, code, stderr }).toMatchObject({ code: 0 });
    }
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);

test(
  "a fact that a turn forgets is erased when that turn ends",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    for (const fact of [BESIDE, SECRET]) expect((await house.hearth("memory", "remember", fact)).code).toBe(0);
    const calls = [
      { tool: "recall", input: { query: "locker" } },
      { tool: "forget", input: { source: "MEMORY.md:2" } },
    ];
    const forgetting = turn(house, model, "forget how the locker opens", calls, "Forgotten.");
    await until(async () => (await house.ask("GET", "/api/approvals?state=pending")).json.length === 1);
    const [approval] = (await house.ask("GET", "/api/approvals?state=pending")).json;
    await house.ask("POST", `/api/approvals/${approval.id}`, { decision: "allow", scope: "once" });
    await forgetting;
    await until(async () => (await holdersOf(home.folder, WORD)).length === 0);
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);
