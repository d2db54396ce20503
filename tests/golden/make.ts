/**
 * Makes the golden homes of tests/golden: for each released database schema, the home of a daemon
 * of that release that was killed during work. Run it after a release that changed the schema, from
 * the root of the repository:
 *
 *   node_modules/@oven/bun-linux-x64/bin/bun tests/golden/make.ts COMMIT...
 *
 * Each COMMIT is checked out into a temporary folder and installs its own packages there. The
 * output is `tests/golden/schema-NUMBER.tar.gz`: the home after the kill, and `history.json` with
 * the events of its rooms.
 */
import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until as untilTrue } from "@hearth/protocol/until";
import { createModel, type Model } from "../journeys/model.ts";

type Json = ReturnType<typeof JSON.parse>;
type Ask = (method: string, path: string, body?: unknown) => Promise<Json>;

const HERE = import.meta.dir;
/**
 * Folders that a start does not need: addresses and lock, the log, caches, the key of the
 * certificate authority.
 */
const LEFT_OUT = ["run", "logs", "cache", "egress", "memory"];
const LATE_MS = 60_000;
const LONG = "A long line of a long message. ".repeat(900);
const SLEEP = { tool: "shell", input: { command: "sleep 600" } };

const until = (what: string, holds: () => Promise<boolean> | boolean): Promise<void> =>
  untilTrue(holds, LATE_MS).catch((cause: unknown) => {
    throw new Error(`${what} did not happen within ${LATE_MS} ms`, { cause });
  });

/** The model of the scenario: it replies at once, or calls a tool that waits. */
const play = (model: Model): void => {
  model.answer = ({ messages }: Json) => {
    const last = String(messages.findLast(({ role }: Json) => role === "user")?.content ?? "");
    if (last.endsWith("work long")) return [SLEEP];
    if (last.endsWith("fetch it")) return [{ tool: "http_fetch", input: { url: "http://far.example/" } }];
    return [`You said ${last.length} characters.`];
  };
};

const run = async (command: readonly string[], cwd: string): Promise<string> => {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return text;
};

/** Whether the audit anchor has reached the last row. True for daemons without an audit log. */
const isAnchored = async (home: string, house: string, ask: Ask): Promise<boolean> => {
  const path = join(home, "audit", "heads.json");
  if (!existsSync(path)) return !existsSync(join(home, "audit"));
  // Versions before the filters of this list take `latest`, and later ones take `limit`.
  const { rows } = await ask("GET", `/api/houses/${house}/audit?latest=1&limit=1`);
  const heads: readonly Json[] = JSON.parse(readFileSync(path, "utf8"));
  return heads.some((head) => head.house === house && head.offset === rows.at(-1).offset);
};

const make = async (commit: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-golden-"));
  const source = join(folder, "source");
  const home = join(folder, "home");
  mkdirSync(source);
  mkdirSync(home);
  const root = join(HERE, "../..");
  await run(["sh", "-c", `git archive ${commit} | tar x -C ${source}`], root);
  await using model = createModel();
  play(model);
  const config = `version = 1\n[providers.test]\nkind = "openai"\nbase_url = "${model.baseUrl}"\napi_key = "env:TEST_KEY"\n[agents.main]\nmodel = "test/model"\ntools = ["shell"]\n`;
  writeFileSync(join(home, "hearth.toml"), config);
  const daemon = Bun.spawn(["./hearth", "up", "--home", home, "--port", "0"], {
    cwd: source,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", TZ: "UTC", TEST_KEY: "key" },
    stdout: "ignore",
    stderr: "inherit",
  });
  const at = (name: string): string => join(home, "run", name);
  await until("the daemon's start", () => existsSync(at("url")) && readFileSync(at("url"), "utf8").length > 5);
  const url = readFileSync(at("url"), "utf8").trim();
  const token = readFileSync(at("token"), "utf8").trim();
  const ask: Ask = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: Json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const events = async (room: string): Promise<readonly Json[]> =>
    (await ask("GET", `/api/rooms/${room}/events?limit=1000`)).events;
  const say = (text: string, room = "main"): Promise<Json> => ask("POST", `/api/rooms/${room}/messages`, { text });
  const answered = async (text: string): Promise<void> => {
    const { id } = await say(text);
    await until(`an answer to "${text.slice(0, 20)}"`, async () =>
      (await events("main")).some(({ causes }: Json) => causes?.includes(id)),
    );
  };

  for (const text of ["hello", "how are you?", LONG, "thank you"]) await answered(text);
  const hasApprovals = existsSync(join(source, "packages/warden/src/policy/approvals/approvals.ts"));
  const [main] = (await ask("GET", "/api/agents")).filter(({ handle }: Json) => handle === "main");
  if (hasApprovals) {
    await ask("POST", "/api/agents/main/jobs", { name: "report", prompt: "say the report", every: "1h" });
    const content = { kind: "bot", name: "Asker", model: "test/model", tools: ["http_fetch"], mode: "ask" };
    const { id } = await ask("POST", "/api/agents", { house: main.house, content });
    const room = { name: "Asking", kind: "direct", members: [(await ask("GET", "/api/me")).agent.id, id] };
    const { handle } = await ask("POST", "/api/rooms", { house: main.house, content: room });
    await say("fetch it", handle);
    await until("a pending approval", async () => (await ask("GET", "/api/approvals")).length > 0);
  }
  await say("work long");
  await until("a running tool", async () => {
    if (hasApprovals)
      for (const { id, agent, state } of await ask("GET", "/api/approvals"))
        if (agent === main.id && state === "pending") await ask("POST", `/api/approvals/${id}`, { decision: "allow" });
    const [newest] = await ask("GET", "/api/agents/main/activations");
    const { steps } = await ask("GET", `/api/activations/${newest.id}`);
    return steps.some(({ name, state }: Json) => name === "shell" && state === "started");
  });
  for (const text of ["and this", "and that"]) await say(text);
  const rooms: Json[] = await ask("GET", "/api/rooms");
  const history = await Promise.all(
    rooms.map(async ({ id, handle }) => ({ room: id, handle, events: await events(id) })),
  );
  await until("an audit anchor at the end of the audit log", () => isAnchored(home, main.house, ask));
  daemon.kill("SIGKILL");
  await daemon.exited;

  const kept = join(folder, "kept");
  cpSync(home, join(kept, "home"), {
    recursive: true,
    filter: (path) => !LEFT_OUT.some((name) => path === join(home, name)),
  });
  writeFileSync(join(kept, "history.json"), JSON.stringify({ commit, history }));
  const version = (() => {
    using database = new Database(join(home, "hearth.db"));
    return Object.values(database.query("pragma user_version").get() as Record<string, number>)[0];
  })();
  const fixture = join(HERE, `schema-${version}.tar.gz`);
  await run(["sh", "-c", `tar c --owner=0 --group=0 --sort=name -C ${kept} . | gzip -9n > ${fixture}`], root);
  console.log(`${fixture}: ${Bun.file(fixture).size} bytes, of ${commit}`);
  rmSync(folder, { recursive: true, force: true });
};

for (const commit of process.argv.slice(2)) await make(commit);
