/**
 * Finds and ends the processes of a command. On a system without /proc, such as macOS, finds only
 * its process group.
 */
import { readdirSync, readFileSync } from "node:fs";

const SIGTERM_WAIT_MS = 500;
const SIGKILL_WAIT_MS = 2000;
const MAX_ROUNDS = 20;
const PAUSE_MS = 10;

/**
 * Ends a process group, first with SIGTERM and then with SIGKILL, and all processes that left the
 * group but have `mark` in their environment. A process that also cleared its environment is not
 * found. Only an isolated cell contains it.
 */
export const endProcesses = async (group: number, mark: string): Promise<void> => {
  signalGroup(group, "SIGTERM");
  if (!(await endsWithin(group, SIGTERM_WAIT_MS))) {
    signalGroup(group, "SIGKILL");
    await endsWithin(group, SIGKILL_WAIT_MS);
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const remaining = findMarked(mark);
    if (remaining.length === 0) return;
    for (const pid of remaining) signal(pid, "SIGKILL");
    await Bun.sleep(PAUSE_MS);
  }
};

const endsWithin = async (group: number, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  for (let pauseMs = 1; isGroupAlive(group); pauseMs = Math.min(pauseMs * 2, PAUSE_MS)) {
    if (performance.now() >= deadline) return false;
    await Bun.sleep(pauseMs);
  }
  return true;
};

/** Whether a process of the group is alive. A zombie accepts signals but is not alive. */
const isGroupAlive = (group: number): boolean => {
  if (!signal(-group, 0)) return false;
  return !hasProc || pids().some((pid) => isLiveMember(pid, group));
};

const isLiveMember = (pid: number, group: number): boolean => {
  // The format is `pid (name) state parent group …`. The name may contain any character, including `)`.
  const stat = readProc(pid, "stat");
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(processGroup) === group && state !== "Z" && state !== "X";
};

const findMarked = (mark: string): readonly number[] =>
  hasProc ? pids().filter((pid) => readProc(pid, "environ").includes(mark)) : [];

const pids = (): readonly number[] => readdirSync("/proc").map(Number).filter(Number.isInteger);

/** Whether /proc is readable. Some cells deny access to it. */
const isProcReadable = (): boolean => {
  try {
    return pids().length > 0;
  } catch {
    return false;
  }
};
const hasProc = process.platform === "linux" && isProcReadable();

/** Reads a file of a process. Returns an empty text if the process has ended or is not readable. */
const readProc = (pid: number, file: "stat" | "environ"): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
};

const signalGroup = (group: number, name: "SIGTERM" | "SIGKILL"): void => {
  signal(-group, name);
};

/** Sends a signal. Returns whether it reached a process. */
const signal = (pid: number, name: "SIGTERM" | "SIGKILL" | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};
