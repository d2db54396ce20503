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
  ]);
  expect(items.filter(({ kind }) => kind === "channel")).toMatchObject([
    { name: "telegram", tokenReference: "env:TELEGRAM_BOT_TOKEN" },
  ]);
  expect(leftOf(items)).toEqual([
    "openclaw.json",
    "workspace/garden.txt",
    "cron/jobs.json: Once",
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
  ]);
  expect(leftOf(items)).toEqual(
    expect.arrayContaining(["state/openclaw.sqlite", "state/openclaw.sqlite: Once", "cron/jobs.json"]) as never,
  );
  expect(await hashOf()).toBe(before);
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
