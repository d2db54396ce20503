/** Starts the real daemon as a user does: a separate process, a new home, real sockets. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireNoCanary, requireSilent, seedCanary } from "./canary.ts";

const RECORDER = fileURLToPath(new URL("statements.ts", import.meta.url));
export const LAUNCHER = fileURLToPath(new URL("../../hearth", import.meta.url));

/** Parsed JSON of any type. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Daemon extends AsyncDisposable {
  readonly home: string;
  readonly url: string;
  readonly loginLink: string;
  readonly token: string;
  readonly pid: number;
  /** Sends one request as the owner. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    init?: RequestInit,
  ): Promise<{ readonly status: number; readonly json: Json }>;
  /** Runs one CLI command in this home. */
  hearth(...words: readonly string[]): Promise<Ended>;
  /** Kills the daemon with SIGKILL. */
  kill(): Promise<void>;
  /** Shuts the daemon down. */
  stop(): Promise<Ended>;
}

/** A temporary home, which is searched for the canary and removed at the end of the test. */
export const createHome = (): { readonly folder: string } & Disposable => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-journey-"));
  return {
    folder,
    [Symbol.dispose]() {
      try {
        requireNoCanary(folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
};

/** The environment of journeys, without the keys of the machine. */
const environment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  ...more,
});

/** Has the daemon record its statements, for the check at the end of the run. */
const recording = (): Record<string, string> => {
  const file = process.env["HEARTH_STATEMENTS"];
  return file === undefined ? {} : { HEARTH_STATEMENTS: file, BUN_OPTIONS: `--preload=${RECORDER}` };
};

/** Runs `./hearth` with these arguments until it ends, through the command `by` if one is given. */
export const hearth = async (
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
  by: readonly string[] = [],
): Promise<Ended> => {
  const child = Bun.spawn([...by, LAUNCHER, ...words], {
    env: environment(env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
};

/** Starts the daemon and waits until it is ready. Throws with its output if it ends instead. */
export const startDaemon = async (
  home: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Daemon> => {
  const child = Bun.spawn(
    [LAUNCHER, "up", "--home", home, ...(flags.includes("--port") ? [] : ["--port", "0"]), ...flags],
    {
      env: environment({ ...recording(), ...env }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let stdout = "";
  while (!/^log in: \S+$/m.test(stdout)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the daemon ended with ${await child.exited}: ${stdout}${await stderr}`);
    stdout += decoder.decode(value, { stream: true });
  }
  const url = /^ready (\S+)$/m.exec(stdout)?.[1] ?? "";
  const token = (await readFile(join(home, "run/token"), "utf8")).trim();
  await seedCanary(url, token);
  const rest = (async (): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      stdout += decoder.decode(value, { stream: true });
    }
  })();
  /**
   * Resolves with the output when the daemon has ended. Throws if the output contains the canary.
   */
  const end = async (): Promise<Ended> => {
    const code = await child.exited;
    await rest;
    const ended = { code, stdout, stderr: await stderr };
    requireSilent(ended.stdout + ended.stderr);
    return ended;
  };

  const daemon: Daemon = {
    home,
    url,
    token,
    loginLink: /^log in: (\S+)$/m.exec(stdout)?.[1] ?? "",
    pid: child.pid,
    async ask(method, path, body, init = {}) {
      const response = await fetch(url + path, {
        method,
        // A kept connection may be closed by the daemon just when the next request is sent.
        keepalive: false,
        ...init,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(init.headers as Record<string, string> | undefined),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
    },
    hearth: (...words) => hearth([...words, "--home", home], env),
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return end();
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await daemon.stop();
    },
  };
  return daemon;
};

/** All events of a room, over all pages. */
export const eventsOf = async (daemon: Daemon, room: string): Promise<readonly Json[]> => {
  const events: Json[] = [];
  for (let after = 0; ;) {
    const page = (await daemon.ask("GET", `/api/rooms/${room}/events?after=${after}&limit=1000`)).json;
    if (page.events.length === 0) return events;
    events.push(...page.events);
    after = page.next;
  }
};

/** The child processes of a process, from /proc. */
export const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter(Boolean).map(Number);
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export { until } from "@hearth/protocol/until";
