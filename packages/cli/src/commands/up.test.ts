/**
 * The daemon as a process: how it reports readiness, how it ends, and its exit codes when it cannot
 * start.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../main.ts");

let folder: string;
let home: string;
const running: Bun.Subprocess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-up-"));
  home = join(folder, "home");
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  await rm(folder, { recursive: true, force: true });
});

const command = (...words: string[]): string[] => [process.execPath, "--no-install", "--no-env-file", MAIN, ...words];
const start = (...words: string[]) => {
  const child = Bun.spawn(command(...words), {
    cwd: folder,
    env: { ...process.env, HEARTH_HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.push(child);
  return child;
};
const hearth = async (...words: string[]) => {
  const child = start(...words);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
};

/** Reads until there are `count` lines. */
const linesOf = async (child: ReturnType<typeof start>, count: number): Promise<readonly string[]> => {
  let text = "";
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  while (text.split("\n").length <= count) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`It ended after: ${text}${await new Response(child.stderr).text()}`);
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text.trimEnd().split("\n");
};
const up = async (...words: string[]) => {
  const child = start("up", "--port", "0", ...words);
  return { child, lines: await linesOf(child, 2) };
};

describe("up", () => {
  test("prints the ready line and the login link, and nothing else", async () => {
    const { child, lines } = await up();
    const [, url] = /^ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0] ?? "") ?? [];
    expect(url).toBeDefined();
    expect(lines[1]).toStartWith(`log in: ${url}/`);
    expect(lines).toHaveLength(2);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await readdir(join(home, "run"))).not.toContain("token");
  });

  test("shuts down gracefully on SIGINT and SIGHUP too", async () => {
    for (const signal of ["SIGINT", "SIGHUP"] as const) {
      const { child } = await up();
      child.kill(signal);
      expect(await child.exited).toBe(0);
    }
  });

  test("with --json prints one line", async () => {
    const child = start("up", "--port", "0", "--json");
    const [line = ""] = await linesOf(child, 1);
    const { url, loginLink, pid } = JSON.parse(line);
    expect(loginLink).toStartWith(`${url}/`);
    expect(pid).toBe(child.pid);
  });
});

describe("stop", () => {
  test("ends the daemon and returns when it is gone", async () => {
    const { child } = await up();
    expect((await hearth("status")).out).toContain(`process      ${child.pid}\n`);
    expect(await hearth("stop")).toEqual({ code: 0, out: "stopped\n", err: "" });
    // The daemon has ended; its parent still has to collect its exit status.
    expect(await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "")).not.toMatch(/^\d+ \(.*\) [^Z]/s);
    expect(await child.exited).toBe(0);
    expect((await hearth("stop")).code).toBe(3);
  });

  test("returns although the daemon's parent does not collect its exit status", async () => {
    // The program that replaces the shell does not know the child.
    const parent = Bun.spawn(["sh", "-c", '"$@" & exec sleep 60', "sh", ...command("up", "--port", "0")], {
      env: { ...process.env, HEARTH_HOME: home },
      stdout: "pipe",
    });
    running.push(parent);
    await parent.stdout.getReader().read();
    const pid = Number(await readFile(join(home, "run/pid"), "utf8"));
    expect(JSON.parse((await hearth("stop", "--json")).out)).toEqual({ stopped: true, pid });
  });
});

describe("a failed start prints the reason and has its own exit code", () => {
  const failing = async (code: number, words: string, ...args: string[]): Promise<void> => {
    const run = await hearth("up", "--port", "0", ...args);
    expect(run.code).toBe(code);
    expect(run.out).toBe("");
    expect(run.err).toStartWith("hearth: ");
    expect(run.err).toContain(words);
    expect(run.err.split("\n").length).toBeGreaterThan(2);
  };

  test("14: the port is in use", async () => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const run = await hearth("up", "--port", String(server.port));
    await server.stop(true);
    expect(run).toMatchObject({ code: 14, out: "" });
    expect(run.err).toContain(String(server.port));
  });
  test("15: the home cannot be written", () => failing(15, "/proc/hearth", "--home", "/proc/hearth"));
  test("16: the folder has foreign files", async () => {
    await writeFile(join(folder, "letters.txt"), "");
    await failing(16, "letters.txt", "--home", folder);
  });
  test("17: another daemon uses the home", async () => {
    await up();
    await failing(17, "Another Hearth is running");
  });
  test("18: the config is invalid", async () => {
    const { child } = await up();
    child.kill("SIGTERM");
    await child.exited;
    await chmod(join(home, "hearth.toml"), 0o600);
    await writeFile(join(home, "hearth.toml"), "version = 1\n[server]\nport = 'many'\n");
    await failing(18, "port");
  });
});

test("a relative home is resolved against the user's working directory, not the command's", async () => {
  const child = Bun.spawn(command("status", "--home", "mine"), {
    cwd: tmpdir(),
    env: { ...process.env, HEARTH_CWD: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toContain(`Hearth is not running in ${join(folder, "mine")}.`);
  expect(await child.exited).toBe(3);
});
