/**
 * The `process` backend: an inmate in a child process, frames on its stdin and stdout. It keeps crashes and leaks away from the
 * daemon; it is no wall against what runs inside, so the shell stays off in it until a person says otherwise.
 */
import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, createByteLink, HearthError, type WardenFrame } from "@hearth/protocol";
import type { CellBackend } from "../../cells/backend.ts";
import { environment } from "./env.ts";

export interface ProcessBackendOptions {
  readonly clock: Clock;
  readonly randomText: () => string;
}

/** How long an inmate may take to leave by itself. */
const LEAVE_MS = 1000;
/** Its own words at most, when it dies. */
const MAX_LAST_WORDS = 2000;

export const createProcessBackend = ({ clock, randomText }: ProcessBackendOptions): CellBackend => ({
  kind: "process",
  traits: { isolation: "process", snapshots: false },

  async probe() {
    const child = Bun.spawn([process.execPath, "--version"], { env: {}, stdout: "ignore", stderr: "ignore" });
    const code = await child.exited;
    return code === 0 ? { ok: true } : { ok: false, why: `${process.execPath} ended with ${code}` };
  },

  async open(spec) {
    const entry = fileURLToPath(import.meta.resolve("@hearth/inmate/bun"));
    const mark = `HEARTH_CELL=${randomText()}`;
    const child = start(entry, spec.workspace, mark);
    const lastWords = collect(child.stderr);
    const link = createByteLink<WardenFrame>({
      bytes: child.stdout,
      write: (bytes) => void deliver(child.stdin, bytes),
      close: () => void child.stdin.end(),
    });
    let closing = false;
    const gone = child.exited.then(async (code) => {
      link.close();
      // The inmate has its mark; a command that outlived it has the workspace for a home.
      await sweep(clock, [mark, `HOME=${spec.workspace}`]);
      if (closing) return undefined;
      const words = (await lastWords).trim();
      return `its process ended with ${child.signalCode ?? code}${words === "" ? "" : `: ${words}`}`;
    });
    return {
      link,
      pid: child.pid,
      gone,
      async close() {
        closing = true;
        link.close();
        const left = new AbortController();
        void child.exited.then(() => left.abort());
        await clock.sleep(LEAVE_MS, left.signal);
        if (child.exitCode === null) child.kill("SIGKILL");
        await gone;
      },
    };
  },
});

/** The inmate's whole environment. The working directory is the code's own: Bun reads settings from there, and the workspace is not trusted. */
const start = (entry: string, workspace: string, mark: string): Bun.Subprocess<"pipe", "pipe", "pipe"> => {
  const [name, value] = mark.split("=") as [string, string];
  try {
    return Bun.spawn([process.execPath, "--no-install", "--no-env-file", "--smol", entry, workspace], {
      cwd: dirname(entry),
      env: {
        PATH: environment("PATH") ?? "/usr/bin:/bin",
        LANG: "C.UTF-8",
        // Without a home it would keep what it works out of the sources right beside them.
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
        [name]: value,
      },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    throw new HearthError(
      "cell.unavailable",
      `The inmate's process did not start: ${error instanceof Error ? error.message : "unknown"}`,
      {
        hint: "Run: hearth doctor",
        cause: error,
      },
    );
  }
};

/** Writes in the order of the calls. */
const deliver = async (stdin: Bun.FileSink, bytes: Uint8Array): Promise<void> => {
  try {
    const written = stdin.write(bytes);
    await stdin.flush();
    await written;
  } catch {
    // Nobody reads any more: the process is ending, and `gone` says why.
  }
};

const collect = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) text = (text + decoder.decode(bytes, { stream: true })).slice(-MAX_LAST_WORDS);
  return text;
};

/** Looks for leftovers at most so often, a clock's turn of a few milliseconds apart. */
const MAX_SWEEPS = 200;
const SWEEP_PAUSE_MS = 5;

/**
 * Ends whatever the cell has left behind, known by one of these in its environment, and stays until it is gone: a killed process
 * takes its moment, and one that forks may have had another child meanwhile. Only Linux shows a process's environment.
 */
const sweep = async (clock: Clock, marks: readonly string[]): Promise<void> => {
  if (process.platform !== "linux") return;
  for (let count = 0; count < MAX_SWEEPS; count += 1) {
    const left = await findMarked(marks);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
    await clock.sleep(SWEEP_PAUSE_MS);
  }
};

const findMarked = async (marks: readonly string[]): Promise<readonly number[]> => {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const variables = (await readFile(`/proc/${name}/environ`, "utf8")).split("\0");
      if (marks.some((mark) => variables.includes(mark))) found.push(Number(name));
    } catch {
      // It ended meanwhile, or belongs to someone else and so is not the cell's.
    }
  }
  return found;
};
