/**
 * The present daemon on interrupted homes of every released schema. See make.ts for their contents.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";

const FIXTURES = readdirSync(import.meta.dir).filter((name) => name.endsWith(".tar.gz"));
const HOUR_MS = 60 * 60 * 1000;
const OVER = ["replied", "silent", "failed", "stopped", "merged", "skipped"];

const openFixture = async (folder: string, name: string, baseUrl: string): Promise<{ readonly history: Json }> => {
  const tar = Bun.spawn(["tar", "xzf", join(import.meta.dir, name), "-C", folder]);
  expect(await tar.exited).toBe(0);
  const config = join(folder, "home", "hearth.toml");
  writeFileSync(config, readFileSync(config, "utf8").replace(/base_url = ".*"/, `base_url = "${baseUrl}"`));
  await delayExpiry(join(folder, "home", "hearth.db"));
  return JSON.parse(readFileSync(join(folder, "history.json"), "utf8"));
};

/** The home is as old as its schema, and its approval waits for a day only. */
const delayExpiry = async (path: string): Promise<void> => {
  const program = `
    const database = new (require("bun:sqlite").Database)(${JSON.stringify(path)});
    const [table] = database.query("select name from sqlite_master where name = 'approvals'").all();
    if (table !== undefined) database.run("update approvals set expires_at = ?", [${Date.now() + HOUR_MS}]);
    // Closing the database would remove the log that the killed daemon left.
    process.kill(process.pid, "SIGKILL");
  `;
  const child = Bun.spawn([process.execPath, "--no-install", "-e", program], { stderr: "pipe" });
  expect([await child.stderr.text(), await child.exited]).toEqual(["", 137]);
};

const schemaOf = (home: string): number => {
  using database = new Database(join(home, "hearth.db"), { readonly: true });
  return Number(database.query("pragma user_version").values()[0]?.[0]);
};

const activationsOf = async (house: Daemon): Promise<readonly Json[]> => {
  const agents: readonly Json[] = (await house.ask("GET", "/api/agents")).json;
  const bots = agents.filter(({ content }) => content.kind === "bot");
  const lists = await Promise.all(
    bots.map(async ({ id }) => (await house.ask("GET", `/api/agents/${id}/activations?limit=100`)).json),
  );
  return lists.flat();
};

test.each(FIXTURES)(
  "R23: %s starts, keeps its history, and finishes the interrupted work",
  async (name) => {
    await using model = createModel();
    model.answer = () => ["done now"];
    using folder = createHome();
    const { history } = await openFixture(folder.folder, name, model.baseUrl);
    const home = join(folder.folder, "home");
    const old = Number(/\d+/.exec(name)?.[0]);
    await using house = await startDaemon(home, { TEST_KEY: "key" });

    if (schemaOf(home) > old)
      expect(readdirSync(join(home, "copies"))).toEqual([
        expect.stringMatching(new RegExp(`^hearth-schema-${old}-\\d+\\.db$`)),
      ]);

    for (const { room, events } of history) {
      const present = await eventsOf(house, room);
      expect(present.slice(0, events.length)).toEqual(events);
    }

    const { json: approvals } = await house.ask("GET", "/api/approvals");
    const pending = Array.isArray(approvals) ? approvals.filter(({ state }: Json) => state === "pending") : [];
    expect(pending).toHaveLength(name === "schema-1.tar.gz" ? 0 : 1);
    for (const { id } of pending)
      expect((await house.ask("POST", `/api/approvals/${id}`, { decision: "deny" })).status).toBe(200);

    await until(async () => (await activationsOf(house)).every(({ state }) => OVER.includes(state)));
    const activations = await activationsOf(house);
    expect(activations.flatMap(({ error }) => error ?? [])).toEqual([]);

    // Every message of a person is answered, also those that waited for the interrupted turn.
    for (const { room, events } of history) {
      const present = await eventsOf(house, room);
      const answered = new Set(present.flatMap(({ causes }) => causes ?? []));
      const asked = events.filter(({ type, causes }: Json) => type === "message" && (causes ?? []).length === 0);
      expect(asked.filter(({ id }: Json) => !answered.has(id))).toEqual([]);
    }

    const { json } = await house.ask("POST", "/api/rooms/main/messages", { text: "one more" });
    const main = history.find(({ handle }: Json) => handle === "main").room;
    await until(async () => (await eventsOf(house, main)).some(({ causes }) => causes?.includes(json.id)));
    expect(readFileSync(join(home, "logs/hearth.log"), "utf8")).not.toContain("house.bug");
  },
  240_000,
);
