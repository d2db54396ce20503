/** A machine that runs: QEMU in a process of its own, which ends with the daemon and may do no more than it must. */
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { type BytePipe, HearthError } from "@hearth/protocol";
import { KEEPER_FD, machineArguments, type MachineOptions, MONITOR_FD, type Part, parts } from "./machine.ts";
import { describeEnd } from "./exit-description.ts";
import { type Monitor, createMonitor } from "./monitor.ts";
import { openSocketPipe } from "./socket-pipe.ts";
import { collectLastWords, deliver } from "../child.ts";

export interface Running {
  readonly pid: number;
  readonly monitor: Monitor;
  /** To the inmate and to the keeper in it. */
  readonly link: BytePipe;
  readonly keeper: BytePipe;
  /** Words for how it ended, once it has. */
  readonly ended: Promise<string>;
  kill(): void;
}

export interface StartOptions extends MachineOptions {
  /** Absolute paths. */
  readonly qemu: string;
  readonly setpriv: string;
  readonly files: Readonly<Record<Part, string>>;
  /** What another machine was when it was kept. */
  readonly state?: string;
  /** A command that becomes the one that it stands before. */
  readonly before: readonly string[];
  /** Whom QEMU is to be: somebody that nothing else belongs to. Left out, it stays who the daemon is. */
  readonly user?: { readonly id: number; readonly groups: readonly number[] };
}

export const startMachine = async (options: StartOptions): Promise<Running> => {
  const { qemu, setpriv, files, state, before, user } = options;
  const opened = [state ?? "/dev/null", ...parts.map((part) => files[part])].map((path) => openSync(path, "r"));
  const groups =
    user === undefined || user.groups.length === 0 ? "--clear-groups" : `--groups=${user.groups.join(",")}`;
  const who = user === undefined ? [] : [`--reuid=${user.id}`, `--regid=${user.id}`, groups];
  let child: ReturnType<typeof spawn>;
  try {
    const command = [setpriv, ...who, "--no-new-privs", "--pdeathsig=KILL", qemu, ...machineArguments(options)];
    child = spawn([...before, ...command], opened);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
  const words = collectLastWords(child.stderr);
  let monitor: Monitor | undefined;
  const ended = child.exited.then(async (code) => {
    const { memoryMiB } = options.shape;
    const stopped = await monitor?.stopped;
    return describeEnd({ code, signal: child.signalCode, words: (await words).trim(), stopped, memoryMiB });
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
          // A write that fails says that the process has gone; its exit is observed.
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

const spawn = (command: string[], more: readonly number[]) =>
  Bun.spawn(command, {
    env: { PATH: "/usr/bin:/bin", TMPDIR: tmpdir() },
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe", "pipe", "pipe", ...more],
  });

const descriptor = (child: { readonly stdio: readonly unknown[] }, index: number): number => {
  const fd = child.stdio[index];
  if (typeof fd !== "number") throw new Error(`QEMU has no descriptor ${index}`);
  return fd;
};
