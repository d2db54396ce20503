/** Copies of the audit log of a real house: complete after a kill, and enough to find a changed log. */
import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/protocol/until";
import { createHome, type Daemon, type Json, startDaemon } from "./daemon.ts";

const SCRIPT = fileURLToPath(new URL("../../docs/verify-audit.py", import.meta.url));
const python = Bun.which("python3");

/** A server that takes lines of JSON from holders of the key, or is away. */
const startCollector = () => {
  const rows: Json[] = [];
  const state = { isAway: false };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (state.isAway) return new Response(null, { status: 503 });
      if (request.headers.get("authorization") !== "Bearer letmein") return new Response(null, { status: 401 });
      const text = await request.text();
      rows.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
      return new Response(null, { status: 202 });
    },
  });
  return { rows, state, url: `http://127.0.0.1:${server.port}/hearth`, [Symbol.asyncDispose]: () => server.stop(true) };
};

const openCopy = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-copy-"));
  return { path: join(folder, "audit.jsonl"), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};

/** The end of the log that the house has now. */
const endOf = async (house: Daemon): Promise<number> => {
  const { stdout } = await house.hearth("audit", "list", "--json", "--limit", "1");
  return JSON.parse(stdout).at(-1).offset;
};

const check = async (log: string, home: string) => {
  const files = [join(home, "keys/audit.key"), join(home, "audit/heads.json")];
  const child = Bun.spawn([python ?? "", SCRIPT, log, ...files], { stdout: "pipe", stderr: "inherit" });
  return { out: await new Response(child.stdout).text(), code: await child.exited };
};

test.skipIf(python === null)(
  "a file and a server have every row after a kill, and the file shows what was removed here (skipped without Python)",
  async () => {
    using home = createHome();
    using copy = openCopy();
    await using collector = startCollector();
    const config = (headers: string): string =>
      `version = 1\n[cells]\nbackend = "inline"\n[audit.targets.disk]\nto = "file://${copy.path}"\n` +
      `[audit.targets.collector]\nto = "${collector.url}"\n${headers}\n`;
    const file = join(home.folder, "hearth.toml");
    writeFileSync(file, config('headers = { authorization = "env:COLLECTOR" }'), { mode: 0o600 });
    const start = (): Promise<Daemon> => startDaemon(home.folder, { COLLECTOR: "Bearer letmein" });
    const copied = (): number => {
      const lines = readFileSync(copy.path, "utf8").trimEnd().split("\n");
      return Math.max(...lines.map((line) => JSON.parse(line).offset));
    };
    const offsets = (): readonly number[] => collector.rows.map(({ offset }) => offset);

    const first = await start();
    await first.hearth("person", "add", "Ana");
    collector.state.isAway = true;
    await first.hearth("chat", "main", "-m", "write notes/one.md: milk");
    // The house says which target fails, and works.
    await until(async () => (await first.hearth("doctor")).stdout.includes("audit target collector"));
    await first.kill();

    collector.state.isAway = false;
    await using second = await start();
    await second.hearth("person", "add", "Ben");
    const end = await endOf(second);
    await until(() => copied() >= end && offsets().includes(end));
    const all = Array.from({ length: end }, (_, index) => index + 1);
    expect([...new Set(offsets())].slice(0, end)).toEqual(all);
    expect(await check(copy.path, home.folder)).toEqual({ out: "All rows are as they were sealed.\n", code: 0 });

    // A change of the file applies at once: the collector gets no row without its key.
    writeFileSync(file, config(""), { mode: 0o600 });
    const log = (): string => readFileSync(join(home.folder, "logs/hearth.log"), "utf8");
    await until(() => log().includes("the config file was read again"));
    await second.hearth("person", "add", "Cleo");
    await until(async () => (await second.hearth("doctor")).stdout.includes("status 401"));
    await second.stop();

    const database = new Database(join(home.folder, "hearth.db"));
    database.run("delete from events where stream like 'audit:%' and offset > 3");
    database.close();
    expect((await check(copy.path, home.folder)).code).toBe(0);
    const lines = readFileSync(copy.path, "utf8").trimEnd().split("\n");
    writeFileSync(copy.path, `${lines.toSpliced(2, 1).join("\n")}\n`);
    expect(await check(copy.path, home.folder)).toEqual({ out: "Row 3 is missing.\n", code: 1 });
  },
);
