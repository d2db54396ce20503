/**
 * Traces the daemon's system calls: a row is on the disk before a client learns of it or an effect
 * depends on it.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, LAUNCHER, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { type Call, isSync, parseTrace, sendOf, syncAfter, TRACED, writeOf } from "./trace.ts";

const TIMEOUT_MS = 300_000;
const strace = process.env["HEARTH_STRACE"] ?? Bun.which("strace");
/** The reason to skip: containers may forbid ptrace. */
const why =
  strace === null
    ? "strace is not installed"
    : Bun.spawnSync([strace, "-f", "--seccomp-bpf", "-o", "/dev/null", "true"], { stderr: "pipe" }).success
      ? undefined
      : "strace may not trace here";
const title = (fact: string): string => (why === undefined ? fact : `${fact} (skipped: ${why})`);

const SHORT = "the short message";
const LONG = "the long message ".repeat(2000);
const FILE = "written.txt";

const startTraced = (home: string, trace: string) =>
  Bun.spawn(
    [
      ...[strace ?? "", "-f", "--seccomp-bpf", "-y", "-s", "8192", "-o", trace, "-e", `trace=${TRACED}`],
      ...[LAUNCHER, "up", "--home", home, "--port", "0"],
    ],
    {
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent", TEST_KEY: "key" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    },
  );

/** The output up to the login link. */
const heardReady = async (child: ReturnType<typeof startTraced>): Promise<string> => {
  let said = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/^log in: \S+$/m.test(said)) break;
  }
  return said;
};

/** Signals the daemon instead of strace, which would leave the daemon running. */
const endDaemon = (home: string): boolean =>
  process.kill(Number(readFileSync(join(home, "run/pid"), "utf8")), "SIGTERM");

/** Traces a house with a message in a row and one in a blob. The first reply calls a tool. */
const traceHouse = async (durability: "power" | "process", tool: "write" | "list"): Promise<readonly Call[]> => {
  await using model = createModel();
  using home = createHome();
  model.answer = ({ messages }: Json) =>
    messages.at(-1).role === "user" && !JSON.stringify(messages).includes('role":"tool')
      ? [{ tool, input: tool === "write" ? { path: FILE, content: "what it wrote" } : {} }]
      : ["the reply"];
  const config = `${configFor(model.baseUrl)}tools = ["${tool}"]\n[store]\ndurability = "${durability}"\n`;
  writeFileSync(join(home.folder, "hearth.toml"), config);
  mkdirSync(join(home.folder, "brains/main/workspace"), { recursive: true });
  const trace = join(home.folder, "run-of-strace");
  const child = startTraced(home.folder, trace);
  try {
    const said = await heardReady(child);
    const url = /^ready (\S+)$/m.exec(said)?.[1] ?? "";
    const headers = {
      authorization: `Bearer ${readFileSync(join(home.folder, "run/token"), "utf8").trim()}`,
      "content-type": "application/json",
    };
    const post = async (text: string): Promise<number> =>
      (await fetch(`${url}/api/rooms/main/messages`, { method: "POST", headers, body: JSON.stringify({ text }) }))
        .status;
    const replies = async (): Promise<number> => {
      const { events }: Json = await (await fetch(`${url}/api/rooms/main/events`, { headers })).json();
      return events.filter(({ causes }: Json) => causes.length > 0).length;
    };
    expect(await post(SHORT)).toBe(201);
    await until(async () => (await replies()) === 1);
    expect(await post(LONG)).toBe(201);
    await until(async () => (await replies()) === 2);
    endDaemon(home.folder);
    await child.exited;
    return parseTrace(readFileSync(trace, "utf8"));
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
};

describe("a house with durability against power cuts", () => {
  let traced: Promise<readonly Call[]> | undefined;
  const calls = (): Promise<readonly Call[]> => (traced ??= traceHouse("power", "write"));
  const expectSynced = (all: readonly Call[], write: Call, boundary: Call): void => {
    const sync = syncAfter(all, write);
    expect(sync === undefined ? "never" : sync.end < boundary.begin).toBe(true);
  };

  test.skipIf(why !== undefined)(
    title("syncs the WAL with the message before it answers the sender"),
    async () => {
      const all = await calls();
      const write = writeOf(all, new RegExp(SHORT));
      expectSynced(all, write, sendOf(all, /HTTP\/1\.1 201/));
    },
    TIMEOUT_MS,
  );

  test.skipIf(why !== undefined)(
    title("writes the step of a model call before it sends the request, and does not wait for a sync"),
    async () => {
      const all = await calls();
      const steps = startedSteps(all, "model").map((step) => ({
        step,
        request: sendOf(all, /POST \/v1\/chat\/completions/, step.end),
      }));
      expect(steps.length).toBeGreaterThan(1);
      expect(steps[0]!.request).toBe(sendOf(all, /POST \/v1\/chat\/completions/));
      // Another commit may be synced between a step and its request, but not in front of each request.
      const waited = steps.map(({ step, request }) => (syncAfter(all, step)?.begin ?? Infinity) < request.begin);
      expect(waited).toContain(false);
    },
    TIMEOUT_MS,
  );

  test.skipIf(why !== undefined)(
    title("syncs the step of a tool call with an effect before the tool acts"),
    async () => {
      const all = await calls();
      const [step] = startedSteps(all, "tool");
      const done = all.find(
        ({ name, text }) => name === "openat" && new RegExp(`[/"]${FILE}"`).test(text) && !text.includes("= -1"),
      );
      expect(step).toBeDefined();
      expect(done).toBeDefined();
      expectSynced(all, step!, done!);
    },
    TIMEOUT_MS,
  );

  test.skipIf(why !== undefined)(
    title("syncs a blob, its directory entry and its folder before the row that names it"),
    async () => {
      const all = await calls();
      const hash = /blobs\/([0-9a-f]{2})\/([0-9a-f]{64})"/;
      const from = writeOf(all, /the reply/).end;
      const moved = all.find(({ name, text, begin }) => begin > from && name.startsWith("rename") && hash.test(text));
      const [, shard = "", name = ""] = hash.exec(moved?.text ?? "") ?? [];
      const draft = /drafts\/[0-9a-f-]+/.exec(moved?.text ?? "")?.[0] ?? "?";
      const row = writeOf(all, new RegExp(name));
      const synced = (path: string): Call | undefined =>
        all.find((call) => isSync(call) && call.begin > from && call.text.includes(`${path}>`));
      expect(synced(draft)!.end).toBeLessThan(moved!.begin);
      expect(synced(`/blobs/${shard}`)!.begin).toBeGreaterThan(moved!.end);
      expect(synced(`/blobs/${shard}`)!.end).toBeLessThan(row.begin);
      expectSynced(all, row, sendOf(all, /the long message/));
    },
    TIMEOUT_MS,
  );
});

test.skipIf(why !== undefined)(
  title("a house with durability against killed processes writes everything to the system and never waits for a sync"),
  async () => {
    const all = await traceHouse("process", "list");
    const from = writeOf(all, new RegExp(SHORT));
    const over = sendOf(all, /the long message/);
    expect(from.end).toBeLessThan(sendOf(all, /HTTP\/1\.1 201/).begin);
    // The anchor of the audit log is written once a second in the background; no answer waits for
    // it.
    const isAnchor = (call: Call): boolean => /\/audit(?:\/[\w.-]+)?>/.test(call.text);
    const synced = all.filter((call) => isSync(call) && call.begin > from.begin && call.begin < over.end);
    expect(synced.filter((call) => !isAnchor(call))).toEqual([]);
  },
  TIMEOUT_MS,
);

/**
 * Writes of rows of started steps, in which kind, name, input hash, effect and state are adjacent.
 */
const startedSteps = (calls: readonly Call[], kind: string): readonly Call[] => {
  const seen = new Set<string>();
  return calls.filter(({ name, text }) => {
    if (name !== "pwrite64" || !text.includes("hearth.db-wal>")) return false;
    const rows = [...text.matchAll(new RegExp(`${kind}\\w+?([0-9a-f]{64})\\w+?started`, "g"))].map(
      ([, hash = ""]) => hash,
    );
    const isNew = rows.some((hash) => !seen.has(hash));
    for (const hash of rows) seen.add(hash);
    return isNew;
  });
};

test.skipIf(why !== undefined)(
  title("the first start syncs the new home's directory entry, and those of the parent folders that it created"),
  async () => {
    using outside = createHome();
    const trace = join(outside.folder, "trace");
    const home = join(outside.folder, "deep/home");
    const child = startTraced(home, trace);
    try {
      await heardReady(child);
      endDaemon(home);
      await child.exited;
      const synced = parseTrace(readFileSync(trace, "utf8"))
        .filter(isSync)
        .map(({ text }) => /<(.*)>/.exec(text)?.[1]);
      expect(synced).toContain(outside.folder);
      expect(synced).toContain(join(outside.folder, "deep"));
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  },
  TIMEOUT_MS,
);
