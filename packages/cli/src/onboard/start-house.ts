/** Starts the daemon of a home in the background, if it does not run. */
import { spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownFolders } from "../compiled/compiled.ts";
import { isAlive, readRunFacts } from "../home.ts";
import type { Terminal } from "../terminal.ts";

/** `failed`: the daemon ended, and `output` is its output. */
export type StartOutcome =
  | { readonly kind: "running" | "started"; readonly pid: number }
  | { readonly kind: "failed"; readonly code: number; readonly output: string };

const POLL_MS = 50;

export const startHouse = async (
  home: string,
  { env, sleep }: Pick<Terminal, "env" | "sleep">,
): Promise<StartOutcome> => {
  const runFacts = await readRunFacts(home);
  if (runFacts !== undefined && isAlive(runFacts.pid)) return { kind: "running", pid: runFacts.pid };
  await using log = await openLog();
  // `--supervised` prints no login link.
  const child = spawn(join(ownFolders.root, "hearth"), ["up", "--home", home, "--supervised"], {
    cwd: ownFolders.root,
    env,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  for (;;) {
    const code = await Promise.race([exitCode, sleep(POLL_MS)]);
    if (code !== undefined) return { kind: "failed", code, output: await log.read() };
    const facts = await readRunFacts(home);
    if (facts === undefined || facts.pid !== child.pid) continue;
    child.unref();
    return { kind: "started", pid: facts.pid };
  }
};

/**
 * Opens an unlinked file for the output of the daemon. The daemon outlives this process, and a pipe
 * would not.
 */
const openLog = async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-start-"));
  const file = await open(join(folder, "log"), "w+", 0o600);
  await rm(folder, { recursive: true });
  return {
    fd: file.fd,
    async read(): Promise<string> {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      return buffer.subarray(0, bytesRead).toString("utf8");
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
};
