/**
 * An inmate in a separate process: frames on its stdin and stdout, its orderly end, and its last
 * output.
 */
import { closeSync } from "node:fs";
import { type Clock, createByteLink, HearthError, type Wall, type WardenFrame } from "@hearth/protocol";
import type { Cell } from "../../../cells/backend.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { collectLastWords, deliver } from "./child.ts";
import { type CleanupStep, runCleanup } from "./cleanup.ts";

export interface InmateProcessOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly argv: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /**
   * Its descriptors from 3 on: open files, which the caller still has to close, and pipes to the
   * caller.
   */
  readonly files?: readonly (number | "pipe")[];
  readonly walls: ReadonlySet<Wall>;
  /** These steps run in order when the process has ended. A step may return a better reason for the end. */
  readonly cleanup: readonly CleanupStep[];
}

export interface InmateCell extends Cell {
  readonly pid: number;
  /** Returns the daemon's end of the pipe with that descriptor number. It is closed when the process has ended. */
  pipe(descriptor: number): number;
  /** Kills the process. `exited` resolves with this reason. */
  kill(why: string): void;
}

/** Maximum time for an inmate to end voluntarily. */
const EXIT_TIMEOUT_MS = 1000;

/** Starts the inmate. Throws `cell.unavailable` if the process does not start. */
export const startInmate = (options: InmateProcessOptions): InmateCell => {
  const { clock, log, walls } = options;
  const child = start(options);
  const lastWords = collectLastWords(child.stderr);
  const pipes = pipesOf(options, child.stdio);
  const link = createByteLink<WardenFrame>(
    {
      bytes: child.stdout,
      write: (bytes) => deliver(child.stdin, bytes),
      close: () => {
        // A write fails because the process has ended. The code that observes its exit reports this.
        Promise.resolve(child.stdin.end()).catch(() => undefined);
      },
    },
    "warden",
  );
  let isClosing = false;
  let killReason: string | undefined;
  const exited = child.exited.then(async (code) => {
    link.close();
    const reason = await runCleanup(log, [
      ...options.cleanup,
      ...[...pipes.values()].map((descriptor) => ({
        name: "close a pipe",
        run: async () => closeSync(descriptor),
      })),
    ]);
    if (isClosing) return undefined;
    if (killReason !== undefined) return killReason;
    const output = (await lastWords).trim();
    const exitReason = `its process ended with ${child.signalCode ?? code}${output === "" ? "" : `: ${output}`}`;
    return reason === undefined ? exitReason : `${reason}; ${exitReason}`;
  });
  return {
    link,
    pid: child.pid,
    walls,
    exited,
    pipe(descriptor) {
      const end = pipes.get(descriptor);
      if (end === undefined) throw new Error(`the inmate's process has no pipe ${descriptor}`);
      return end;
    },
    kill(why) {
      killReason ??= why;
      child.kill("SIGKILL");
    },
    async close() {
      isClosing = true;
      link.close();
      const exitController = new AbortController();
      const abortWait = (): void => exitController.abort();
      child.exited.then(abortWait, abortWait);
      await clock.sleep(EXIT_TIMEOUT_MS, exitController.signal);
      if (child.exitCode === null) child.kill("SIGKILL");
      await exited;
    },
  };
};

const FIRST_FILE_FD = 3;

const pipesOf = ({ files = [] }: InmateProcessOptions, ends: readonly unknown[]): ReadonlyMap<number, number> =>
  new Map(
    files.flatMap((file, index) => {
      const end = ends[FIRST_FILE_FD + index];
      return file === "pipe" && typeof end === "number" ? [[FIRST_FILE_FD + index, end] as const] : [];
    }),
  );

const start = ({ argv, env, cwd, files = [] }: InmateProcessOptions): Bun.Subprocess<"pipe", "pipe", "pipe"> => {
  try {
    return Bun.spawn([...argv], {
      cwd,
      env: { ...env },
      stdio: ["pipe", "pipe", "pipe", ...files],
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
