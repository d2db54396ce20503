/** Turns that spread a secret over a home, and the search for what is left of it. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";
import { configFor, type Model, type Piece } from "./model.ts";

export const WORD = "zanzibar-otter-4711";

export const SECRET = `The locker in the hall opens with ${WORD} since last spring.`;

export const BESIDE = "The bicycle in the yard is painted red and has no bell.";

export const LIMIT_MS = 300_000;

const TOOLS = ["remember", "recall", "read_brain", "write_brain", "forget", "http_fetch", "time"];

export const open = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(
    join(home, "hearth.toml"),
    `${configFor(model.baseUrl)}tools = ${JSON.stringify(TOOLS)}\n[egress]\nloopback = true\n`,
  );
  return startDaemon(home, { TEST_KEY: "key" });
};

const isHouses = (request: Json): boolean => JSON.stringify(request.messages[0]).includes("You keep the memory of");

/** Runs a turn: the model makes one call per round, then answers. Returns its first request. */
export const turn = async (
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

export const holdersOf = async (folder: string, word: string): Promise<readonly string[]> =>
  [...(await readHome(folder))]
    .filter(([, bytes]) => bytes.includes(word))
    .map(([path]) => path)
    .sort();

export const eventsOf = async (house: Daemon): Promise<readonly Json[]> =>
  (await house.ask("GET", "/api/rooms/main/events?after=0&limit=1000")).json.events;

/** Waits until the turn is in the day's log, which is written some seconds later. */
export const untilLogged = async (house: Daemon, folder: string): Promise<void> => {
  const [{ id }] = JSON.parse((await house.hearth("activation", "list", "main", "--limit", "1", "--json")).stdout);
  await until(async () =>
    [...(await readHome(folder))].some(([path, bytes]) => /brains\/main\/memory\//.test(path) && bytes.includes(id)),
  );
};

/**
 * Expects that no file contains the text and that other text is kept: now, after undoing
 * everything, and after a restart.
 */
export const requireGone = async (house: Daemon, model: Model, home: string): Promise<Daemon> => {
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
