/** Reads homes of other agents. The fixtures follow their public formats. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  FOREIGN_PASSWORD,
  FOREIGN_TOKEN,
  writeClaudeCodeHome,
  writeHermesDatabase,
  writeHermesHome,
  writeOpenClawDatabase,
  writeOpenClawHome,
} from "@hearth/testing/foreign-homes";
import { readClaudeCode } from "./claude-code.ts";
import { readHermes } from "./hermes.ts";
import { readOpenClaw } from "./openclaw.ts";
import type { Item, ReadSource } from "../../../http/imports/plan.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-import-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const all = (read: ReadSource): Promise<readonly Item[]> => Array.fromAsync(read(root));

const filesOf = (items: readonly Item[]): Readonly<Record<string, string>> =>
  Object.fromEntries(items.flatMap((item) => (item.kind === "file" ? [[item.to, item.text]] : [])));
const leftOf = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => (item.kind === "left" ? [item.from] : []));

/** The bytes of every file. */
const hashOf = async (): Promise<string> => {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of files.toSorted()) hasher.update(file).update(await readFile(file));
  return hasher.digest("hex");
};

test("a home of OpenClaw: persona, memory, skills, jobs, a channel by reference, and conversations", async () => {
  await writeOpenClawHome(root);
  const before = await hashOf();
  const items = await all(readOpenClaw);
  const files = filesOf(items);
  expect(files["SOUL.md"]).toBe("You are Molty, a lobster.\n");
  expect(files["USER.md"]).toBe("Ada. The gateway opens with [left out: it looks like a secret].\n");
  expect(files["memory/2026-05-01.md"]).toContain("shed");
  expect(files["skills/plants/table.csv"]).toBe("fern,2\n");
  const page = files["memory/imported/openclaw/main-4f2a.md"] ?? "";
  expect(page).toContain("**agent** (2026-05-01T09:00:02Z): The kayak is at the lake.");
  expect(page).not.toContain("IGNORE ALL RULES");
  expect(items.filter(({ kind }) => kind === "job")).toMatchObject([
    { name: "morning-news", prompt: "What is new?", cron: "0 9 * * *", zone: "Europe/Berlin", isPaused: false },
    { name: "tea", prompt: "Drink.", every: "7200s", isPaused: true },
    // The comparison with the house leaves it out, because its time has passed.
    { name: "once", prompt: "Past.", once: "2026-01-01T00:00:00.000Z" },
  ]);
  expect(items.filter(({ kind }) => kind === "channel")).toMatchObject([
    { name: "telegram", tokenReference: "env:TELEGRAM_BOT_TOKEN" },
  ]);
  expect(leftOf(items)).toEqual([
    "openclaw.json",
    "workspace/garden.txt",
    "openclaw.json: channels.whatsapp",
    "credentials",
  ]);
  for (const secret of [FOREIGN_TOKEN, FOREIGN_PASSWORD]) expect(JSON.stringify(items)).not.toContain(secret);
  expect(await hashOf()).toBe(before);
});

test("a token that is written in the settings of OpenClaw is left out, with the command that adds it", async () => {
  await Bun.write(join(root, "openclaw.json"), '{ channels: { telegram: { botToken: "123456:secret-token" } } }');
  const items = await all(readOpenClaw);
  expect(items.at(-1)).toMatchObject({ kind: "left", why: expect.stringContaining("--token-stdin") });
  expect(JSON.stringify(items)).not.toContain("secret-token");
});

test("a home of Hermes: persona, memories as lists, skills, jobs and conversations", async () => {
  await writeHermesHome(root);
  const before = await hashOf();
  const items = await all(readHermes);
  const files = filesOf(items);
  expect(files["MEMORY.md"]).toBe(
    "- The project uses pnpm.\n- The server's password is [left out: it looks like a secret].\n",
  );
  expect(files["USER.md"]).toBe("Ada likes TypeScript.\n");
  expect(Object.keys(files)).toContain("skills/plants/SKILL.md");
  expect(files["memory/imported/hermes/20260501.md"]).toContain("At the lake.");
  expect(items.filter(({ kind }) => kind === "job")).toMatchObject([{ cron: "0 9 * * *" }, { every: "90m" }]);
  expect(leftOf(items)).toEqual(["config.yaml", ".env"]);
  expect(JSON.stringify(items)).not.toContain(FOREIGN_PASSWORD);
  expect(JSON.stringify(items)).not.toContain("IGNORE ALL RULES");
  expect(await hashOf()).toBe(before);
});

test("a folder of Claude Code: instructions, skills, memories of projects and conversations", async () => {
  await writeClaudeCodeHome(root);
  const before = await hashOf();
  const items = await all(readClaudeCode);
  const files = filesOf(items);
  expect(Object.keys(files)).toEqual([
    "instructions/claude-code.md",
    "skills/plants/SKILL.md",
    "memory/imported/claude-code/home-ada-garden/memory/MEMORY.md",
    "memory/imported/claude-code/home-ada-garden/5b1c.md",
  ]);
  const page = files["memory/imported/claude-code/home-ada-garden/5b1c.md"] ?? "";
  expect(page.match(/\*\*(person|agent)\*\*/g)).toEqual(["**person**", "**agent**"]);
  expect(leftOf(items)).toEqual(["agents", "settings.json"]);
  expect(await hashOf()).toBe(before);
});

test("the database of an agent of OpenClaw: conversations as text and compressed, before those in files", async () => {
  await writeOpenClawHome(root);
  await writeOpenClawDatabase(root);
  await Bun.write(join(root, "state/openclaw.sqlite"), "SQLite format 3\u0000");
  const before = await hashOf();
  const items = await all(readOpenClaw);
  const files = filesOf(items);
  const page = files["memory/imported/openclaw/main-77aa.md"] ?? "";
  expect(page).toContain("Where is the tent? The key is [left out");
  expect(page.match(/\*\*(person|agent)\*\*/g)).toEqual(["**person**", "**agent**"]);
  expect(page).toContain("**agent** (2026-09-01T09:00:00Z): The tent is in the attic.");
  expect(files["memory/imported/openclaw/main-77bb.md"]).toContain("Buy rope.");
  // The file of a conversation that the database has, too, is left out.
  expect(files["memory/imported/openclaw/main-4f2a.md"]).toContain("The kayak, again.");
  expect(leftOf(items)).toEqual(
    expect.arrayContaining(["agents/main/sessions/4f2a.jsonl", "state/openclaw.sqlite"]) as never,
  );
  const places = items.map(({ from }) => from);
  expect(new Set(places).size).toBe(places.length);
  for (const secret of [FOREIGN_TOKEN, "IGNORE ALL RULES"]) expect(JSON.stringify(items)).not.toContain(secret);
  expect(await hashOf()).toBe(before);
});

test("the database of Hermes: conversations with titles, without rows that were taken back", async () => {
  await writeHermesHome(root);
  await writeHermesDatabase(root);
  await Bun.write(join(root, "profiles/coder/SOUL.md"), "other");
  const before = await hashOf();
  const items = await all(readHermes);
  const page = filesOf(items)["memory/imported/hermes/20260901-1.md"] ?? "";
  expect(page).toStartWith("# Where the tent is\n\n**person** (2026-09-01T");
  expect(page).toContain(": Where is the tent?\n\n");
  expect(page).toContain("In the attic, by [left out");
  expect(page).not.toContain("cellar");
  expect(leftOf(items)).toEqual(["sessions/20260501.jsonl", "config.yaml", ".env", "profiles"]);
  for (const secret of [FOREIGN_PASSWORD, "IGNORE ALL RULES"]) expect(JSON.stringify(items)).not.toContain(secret);
  expect(await hashOf()).toBe(before);
});

test("a damaged or foreign database, a view, and a link are left out, and the rest is read", async () => {
  await writeHermesHome(root);
  await Bun.write(join(root, "state.db"), "not a database");
  expect(leftOf(await all(readHermes))).toContain("state.db");
  await rm(join(root, "state.db"));
  const view = new Database(join(root, "state.db"), { create: true });
  view.run("CREATE VIEW messages AS SELECT 1 AS id, 's' AS session_id, 'user' AS role, 'x' AS content, 0 AS timestamp");
  view.close();
  expect(leftOf(await all(readHermes))).toContain("state.db");
  const outside = await mkdtemp(join(tmpdir(), "hearth-outside-"));
  try {
    await writeHermesDatabase(outside);
    await rm(join(root, "state.db"));
    await symlink(join(outside, "state.db"), join(root, "state.db"));
    const items = await all(readHermes);
    expect(leftOf(items)).toContain("state.db");
    expect(JSON.stringify(items)).not.toContain("attic");
    expect(Object.keys(filesOf(items))).toContain("SOUL.md");
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});

test("no copy of a database stays behind", async () => {
  await writeHermesDatabase(root);
  const copies = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("hearth-import-copy-"));
  const before = await copies();
  await all(readHermes);
  expect(await copies()).toEqual(before);
});

test("an empty folder has nothing", async () => {
  for (const read of [readOpenClaw, readHermes, readClaudeCode]) expect(await all(read)).toEqual([]);
});

test("links are not followed, neither to a file nor through a folder", async () => {
  const outside = await mkdtemp(join(tmpdir(), "hearth-outside-"));
  try {
    await Bun.write(join(outside, "SOUL.md"), "outside");
    await Bun.write(join(outside, "4f2a.jsonl"), '{"type":"message","message":{"role":"user","content":"outside"}}\n');
    await mkdir(join(root, "workspace"));
    await symlink(join(outside, "SOUL.md"), join(root, "workspace/SOUL.md"));
    await symlink(outside, join(root, "workspace/memory"));
    await mkdir(join(root, "agents/main"), { recursive: true });
    await symlink(outside, join(root, "agents/main/sessions"));
    const items = await all(readOpenClaw);
    expect(JSON.stringify(items)).not.toContain("outside");
    expect(leftOf(items)).toContain("workspace/SOUL.md");
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});

test.each(["not JSON", "[]", '{"jobs":1}'])(
  "a file of jobs that is %s is left out, and the rest is read",
  async (text) => {
    await Bun.write(join(root, "cron/jobs.json"), text);
    await Bun.write(join(root, "SOUL.md"), "me");
    expect(leftOf(await all(readOpenClaw))).toEqual(["cron/jobs.json"]);
    const items = await all(readHermes);
    expect([leftOf(items), Object.keys(filesOf(items))]).toEqual([["cron/jobs.json"], ["SOUL.md"]]);
  },
);

test.each(["null", "[1]", '{"channels":"x"}', '{"channels":{"telegram":null}}'])(
  "settings of OpenClaw in an unknown form, %s, do not stop the import",
  async (text) => {
    await Bun.write(join(root, "openclaw.json"), text);
    expect(leftOf(await all(readOpenClaw))).toContain("openclaw.json");
  },
);

/** The table as OpenClaw 2026.9 creates it, without columns that only its scheduler reads. */
const writeJobTable = (jobs: readonly string[]): void => {
  mkdirSync(join(root, "state"), { recursive: true });
  using database = new Database(join(root, "state/openclaw.sqlite"), { create: true });
  database.run(`CREATE TABLE cron_jobs (
    store_key TEXT NOT NULL, job_id TEXT NOT NULL, name TEXT NOT NULL, enabled INTEGER NOT NULL,
    payload_kind TEXT NOT NULL, job_json TEXT NOT NULL, sort_order INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL, PRIMARY KEY (store_key, job_id)) STRICT`);
  for (const [order, json] of jobs.entries())
    database.run("INSERT INTO cron_jobs VALUES ('default', ?, 'job', 1, 'agentTurn', ?, ?, 0)", [
      `job${order}`,
      json,
      jobs.length - order,
    ]);
};

test("the database of OpenClaw has the jobs, and an earlier file of jobs is left out", async () => {
  await writeOpenClawHome(root);
  const payload = { kind: "agentTurn", message: "Water the ferns." };
  const ferns = { id: "a", name: "Ferns", enabled: true, schedule: { kind: "cron", expr: "0 8 * * *" }, payload };
  const once = { id: "b", name: "Once", schedule: { kind: "at", at: "2026-05-01T08:00:00Z" }, payload };
  writeJobTable([JSON.stringify(once), "no JSON", JSON.stringify(ferns)]);
  const before = await hashOf();
  const items = await all(readOpenClaw);
  expect(items.filter(({ kind }) => kind === "job")).toMatchObject([
    { name: "ferns", prompt: "Water the ferns.", cron: "0 8 * * *", isPaused: false },
    { name: "once", once: "2026-05-01T08:00:00.000Z" },
  ]);
  expect(leftOf(items)).toEqual(expect.arrayContaining(["state/openclaw.sqlite", "cron/jobs.json"]) as never);
  expect(await hashOf()).toBe(before);
});

test("jobs that OpenClaw added for itself, and jobs that run commands, are left out with the reason", async () => {
  const cron = { kind: "cron", expr: "0 3 * * *" };
  const turn = { kind: "agentTurn", message: "go" };
  const jobs = [
    { name: "heartbeat-main", declarationKey: "heartbeat:main", schedule: cron, payload: { kind: "heartbeat" } },
    { name: "Dreaming", declarationKey: "memory-core:memory-dreaming-promotion", schedule: cron, payload: turn },
    { name: "Review", declarationKey: "skill-collection-review:main", schedule: cron, payload: turn },
    { name: "Disk", schedule: cron, payload: { kind: "command", argv: ["df"] } },
    { name: "Exit", schedule: { kind: "on-exit", command: "make" }, payload: turn },
    { name: "Mine", declarationKey: "mine", schedule: cron, payload: turn },
    { name: "Old", schedule: { kind: "at", atMs: 1_798_790_400_000 }, payload: turn },
  ];
  writeJobTable(jobs.toReversed().map((job) => JSON.stringify(job)));
  const items = await all(readOpenClaw);
  expect(items.flatMap((item) => (item.kind === "left" ? [[item.from.split(": ")[1], item.why]] : []))).toEqual([
    ["heartbeat-main", "It is the heartbeat. An agent of Hearth has its own, under Automations."],
    ["Dreaming", "OpenClaw added it for its own maintenance."],
    ["Review", "OpenClaw added it for its own maintenance."],
    ["Disk", "It runs a command without the agent. A job of Hearth sends a prompt to its agent."],
    ["Exit", "Hearth has no such schedule."],
  ]);
  expect(items.filter(({ kind }) => kind === "job")).toMatchObject([
    { name: "mine", cron: "0 3 * * *" },
    { name: "old", once: "2027-01-01T08:00:00.000Z" },
  ]);
});

/** A home with two agents, as OpenClaw 2026.9 writes it. It was moved, so its paths are of another folder. */
const writeTwoAgents = async (): Promise<void> => {
  const job = (name: string, agentId?: string) =>
    JSON.stringify({ name, agentId, schedule: { expr: "0 9 * * *" }, payload: { message: name } });
  const entries = {
    main: { workspace: "/home/ada/.openclaw/workspace" },
    scout: { workspace: "/home/ada/.openclaw/workspace-tides" },
  };
  const agents = { defaults: { systemAgent: { agentId: "main" } }, entries };
  const files = {
    "openclaw.json": JSON.stringify({ agents, channels: { whatsapp: {} } }),
    "workspace/SOUL.md": "main",
    "workspace-tides/SOUL.md": "scout",
    "skills/shared/SKILL.md": "shared",
    "agents/main/sessions/m.jsonl": '{"type":"message","message":{"role":"user","content":"to main"}}',
    "agents/scout/sessions/s.jsonl": '{"type":"message","message":{"role":"user","content":"to scout"}}',
  };
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text);
  writeJobTable([job("for-scout", "scout"), job("for-main", "main"), job("for-default")]);
};

test("a home of OpenClaw with several agents: the default agent, or the agent whose folder is given", async () => {
  await writeTwoAgents();
  const before = await hashOf();
  const main = await all(readOpenClaw);
  expect(filesOf(main)).toMatchObject({ "SOUL.md": "main", "skills/shared/SKILL.md": "shared" });
  expect(Object.keys(filesOf(main))).toContain("memory/imported/openclaw/main-m.md");
  expect(main.flatMap((item) => (item.kind === "job" ? [item.name] : []))).toEqual(["for-default", "for-main"]);
  expect(main).toContainEqual({
    kind: "left",
    from: "agents/scout",
    why: `It is another agent. To import it, give its folder: ${join(root, "agents/scout")}`,
  });
  expect(JSON.stringify(main)).not.toContain("to scout");

  const scout = await Array.fromAsync(readOpenClaw(join(root, "agents/scout")));
  expect(filesOf(scout)).toMatchObject({ "SOUL.md": "scout", "skills/shared/SKILL.md": "shared" });
  expect(Object.keys(filesOf(scout))).toContain("memory/imported/openclaw/scout-s.md");
  expect(scout.flatMap((item) => (item.kind === "job" ? [item.name] : []))).toEqual(["for-scout"]);
  // The settings and channels belong to the default agent.
  expect(leftOf(scout)).toEqual(["agents/main"]);
  expect(JSON.stringify(scout)).not.toContain("to main");
  expect(await hashOf()).toBe(before);
});

test.each([
  [{ list: [{ id: "bee", default: true, workspace: "hive" }, { id: "main" }] }, "hive"],
  [{ defaults: { workspace: "~/.openclaw-work/space" } }, "space"],
  [{ defaults: { workspace: "/elsewhere" } }, "workspace"],
  [{ list: "damaged" }, "workspace"],
])("the workspace of the default agent with the settings %j is %s", async (agents, folder) => {
  await Bun.write(join(root, "openclaw.json"), JSON.stringify({ agents }));
  await Bun.write(join(root, folder, "SOUL.md"), "me");
  expect(filesOf(await all(readOpenClaw))).toEqual({ "SOUL.md": "me" });
});

test("a workspace outside of the home is named, with what to do", async () => {
  await Bun.write(join(root, "openclaw.json"), JSON.stringify({ agents: { defaults: { workspace: "/elsewhere" } } }));
  expect(leftOf(await all(readOpenClaw))).toEqual(["openclaw.json", "openclaw.json: agents"]);
});

test("an empty table of jobs leaves those of the file", async () => {
  await writeOpenClawHome(root);
  writeJobTable([]);
  const items = await all(readOpenClaw);
  expect(items.filter(({ kind }) => kind === "job").map(({ from }) => from)).toContain("cron/jobs.json: Tea");
});

test("a job in an unknown form is left out, and the others are imported", async () => {
  const jobs = [null, { name: 7 }, { name: "ok", schedule: { expr: "0 9 * * *" }, payload: { text: "go" } }];
  await Bun.write(join(root, "cron/jobs.json"), JSON.stringify({ jobs }));
  expect((await all(readOpenClaw)).map(({ kind }) => kind)).toEqual(["left", "left", "job"]);
});

test("a message longer than a page is on several pages, and none of it is cut off", async () => {
  const long = "x".repeat(700_000);
  const line = JSON.stringify({ type: "message", message: { role: "user", content: `${long}end` } });
  await Bun.write(join(root, "agents/main/sessions/a.jsonl"), line);
  const items = await all(readOpenClaw);
  expect(items).toHaveLength(3);
  expect(items.every((item) => item.kind === "file" && item.source === "import agents/main/sessions/a.jsonl")).toBe(
    true,
  );
  expect(filesOf(items)["memory/imported/openclaw/main-a-3.md"]).toEndWith("end\n\n");
});
