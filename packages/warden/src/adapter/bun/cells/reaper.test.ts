import { expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { found, until } from "@hearth/protocol/until";
import { childrenOf, isAlive } from "../../../fixtures/processes.ts";
import { isFirstInside } from "./first-inside.ts";
import { inReapedGroup, releaseReaper, reap } from "./reaper.ts";

const PATH = "/usr/bin:/bin";
const works = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"];
const isHere =
  process.platform === "linux" &&
  Bun.which("bwrap", { PATH }) !== null &&
  Bun.spawnSync(works, { stdio: ["ignore", "ignore", "ignore"] }).exitCode === 0;

const PIPE_SIZE = 65_536;

interface Waiting {
  readonly bubblewrap: Bun.Subprocess;
  /** The process that waits for bubblewrap, and has not yet asked to end with it. */
  readonly first: number;
  /** Our end of the tether. Closed at the end of the test at the latest. */
  readonly tether: number;
}

/**
 * Holds bubblewrap at the critical moment: it has a child, and cannot report the child's id because
 * that pipe is full.
 */
const within = async (work: (waiting: Waiting) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-reaper-"));
  await Bun.$`mkfifo ${join(folder, "full")}`;
  const full = openSync(join(folder, "full"), "r+");
  writeSync(full, new Uint8Array(PIPE_SIZE));
  const command = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/"];
  const child = Bun.spawn([...inReapedGroup([...command, "--info-fd", "3", "sleep", "600"], 1)], {
    ...{ env: { PATH }, stdio: ["ignore", "ignore", "ignore", full, "pipe"], detached: true },
  });
  const tether = Number(child.stdio[4]);
  let first: number | undefined;
  try {
    first = await found(() => childrenOf(child.pid).find(isFirstInside));
    await work({ bubblewrap: child, first, tether });
  } finally {
    child.kill("SIGKILL");
    if (first !== undefined && isAlive(first)) process.kill(first, "SIGKILL");
    closeSync(full);
    rmSync(folder, { recursive: true, force: true });
  }
};

const isGoneSoon = async (pid: number): Promise<boolean> => {
  await until(() => !isAlive(pid)).catch(() => undefined);
  return !isAlive(pid);
};

test.skipIf(!isHere)("the child of a killed bubblewrap ends with the house", () =>
  within(async ({ bubblewrap, first, tether }) => {
    // As the kernel does when a house is killed.
    bubblewrap.kill("SIGKILL");
    await bubblewrap.exited;
    expect(isAlive(first)).toBe(true);
    closeSync(tether);
    expect(await isGoneSoon(first)).toBe(true);
  }),
);

test.skipIf(!isHere)("the child of a killed bubblewrap ends on `reap`", () =>
  within(async ({ bubblewrap, first, tether }) => {
    bubblewrap.kill("SIGKILL");
    await bubblewrap.exited;
    await reap(tether);
    expect(await isGoneSoon(first)).toBe(true);
    closeSync(tether);
  }),
);

test.skipIf(!isHere)("a released reaper ends no process", () =>
  within(async ({ bubblewrap, first, tether }) => {
    releaseReaper(tether);
    await reap(tether);
    expect([isAlive(bubblewrap.pid), isAlive(first)]).toEqual([true, true]);
    closeSync(tether);
  }),
);
