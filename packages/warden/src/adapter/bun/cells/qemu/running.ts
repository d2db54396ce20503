/**
 * A running machine: QEMU in a separate process, which ends with the daemon and has minimal
 * privileges.
 */
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { type BytePipe, HearthError } from "@hearth/protocol";
import { KEEPER_FD, machineArguments, type MachineOptions, MONITOR_FD, type Part, parts } from "./machine.ts";
import { describeExit } from "./exit-description.ts";
import { type Monitor, createMonitor } from "./monitor.ts";
import { openSocketPipe } from "./socket-pipe.ts";
import { collectLastWords, deliver } from "../child.ts";

export interface RunningMachine {
  readonly pid: number;
  readonly monitor: Monitor;
  /** Connects to the inmate in the machine. */
  readonly link: BytePipe;
  /** Connects to the keeper in the machine. */
  readonly keeper: BytePipe;
  /** Resolves with the reason when the machine ends. */
  readonly ended: Promise<string>;
  kill(): void;
}

export interface StartOptions extends MachineOptions {
  /** Absolute paths. */
  readonly qemu: string;
  readonly setpriv: string;
  readonly files: Readonly<Record<Part, string>>;
  /** The state file of the template that the machine restores. */
  readonly state?: string;
  /** A command prefix, which runs the command after it. */
  readonly commandPrefix: readonly string[];
  /** The user that QEMU runs as, which owns nothing else. By default, it is the daemon's user. */
  readonly user?: { readonly id: number; readonly groups: readonly number[] };
}

export const startMachine = async (options: StartOptions): Promise<RunningMachine> => {
  const { qemu, setpriv, files, state, commandPrefix, user } = options;
  const fds = [state ?? "/dev/null", ...parts.map((part) => files[part])].map((path) => openSync(path, "r"));
  const groups =
    user === undefined || user.groups.length === 0 ? "--clear-groups" : `--groups=${user.groups.join(",")}`;
  const userOptions = user === undefined ? [] : [`--reuid=${user.id}`, `--regid=${user.id}`, groups];
  let child: ReturnType<typeof spawn>;
  try {
    const command = [setpriv, ...userOptions, "--no-new-privs", "--pdeathsig=KILL", qemu, ...machineArguments(options)];
    child = spawn([...commandPrefix, ...command], fds);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
  const lastWords = collectLastWords(child.stderr);
  let monitor: Monitor | undefined;
  const ended = child.exited.then(async (code) => {
    const { memoryMiB } = options.shape;
    const stopped = await monitor?.stopped;
    return describeExit({ code, signal: child.signalCode, words: (await lastWords).trim(), stopped, memoryMiB });
  });
  try {
    monitor = createMonitor(await openSocketPipe(descriptor(child, MONITOR_FD)));
    return {
      pid: child.pid,
      monitor,
      link: {
        bytes: child.stdout,
        write: (bytes) => deliver(child.stdin, bytes),
        close: () => {
          // A write fails because the process has ended. The code that observes its exit reports this.
          Promise.resolve(child.stdin.end()).catch(() => undefined);
        },
      },
      keeper: await openSocketPipe(descriptor(child, KEEPER_FD)),
      ended,
      kill: () => child.kill("SIGKILL"),
    };
  } catch (cause) {
    child.kill("SIGKILL");
    throw new HearthError("cell.unavailable", `QEMU did not start: ${await ended}.`, { cause });
  }
};

const spawn = (command: string[], extraFds: readonly number[]) =>
  Bun.spawn(command, {
    env: { PATH: "/usr/bin:/bin", TMPDIR: tmpdir() },
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe", "pipe", "pipe", ...extraFds],
  });

const descriptor = (child: { readonly stdio: readonly unknown[] }, index: number): number => {
  const fd = child.stdio[index];
  if (typeof fd !== "number") throw new Error(`QEMU has no descriptor ${index}`);
  return fd;
};
