/** Which processes are still there, and an end to them. Where there is no /proc (macOS), a process group is all that is seen. */
import { readdirSync, readFileSync } from "node:fs";

const GENTLE_MS = 500;
const FORCED_MS = 2000;
const ROUNDS = 20;
const PAUSE_MS = 10;

/**
 * Ends a process group, asked first and then by force, and whatever left the group but still carries `mark` in its
 * environment. A process that emptied its environment as well is beyond this: only a cell with walls holds that one.
 */
export const endProcesses = async (group: number, mark: string): Promise<void> => {
  signalGroup(group, "SIGTERM");
  if (!(await goneWithin(group, GENTLE_MS))) {
    signalGroup(group, "SIGKILL");
    await goneWithin(group, FORCED_MS);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = findMarked(mark);
    if (left.length === 0) return;
    for (const pid of left) signal(pid, "SIGKILL");
    await Bun.sleep(PAUSE_MS);
  }
};

const goneWithin = async (group: number, ms: number): Promise<boolean> => {
  const until = performance.now() + ms;
  for (let pause = 1; isGroupAlive(group); pause = Math.min(pause * 2, PAUSE_MS)) {
    if (performance.now() >= until) return false;
    await Bun.sleep(pause);
  }
  return true;
};

/** A dead process that nobody has collected yet still answers to signals; it is not alive. */
const isGroupAlive = (group: number): boolean => {
  if (!signal(-group, 0)) return false;
  return !hasProc || pids().some((pid) => isLiveMember(pid, group));
};

const isLiveMember = (pid: number, group: number): boolean => {
  // pid (name) state parent group …; the name may hold anything, also `)`.
  const stat = readProc(pid, "stat");
  const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(ofGroup) === group && state !== "Z" && state !== "X";
};

const findMarked = (mark: string): readonly number[] =>
  hasProc ? pids().filter((pid) => readProc(pid, "environ").includes(mark)) : [];

const pids = (): readonly number[] => readdirSync("/proc").map(Number).filter(Number.isInteger);

/** Some cells keep it closed. */
const canLook = (): boolean => {
  try {
    return pids().length > 0;
  } catch {
    return false;
  }
};
const hasProc = process.platform === "linux" && canLook();

/** Empty if it is gone or not ours to look at. */
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

/** Whether there was anyone to get it. */
const signal = (pid: number, name: "SIGTERM" | "SIGKILL" | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};
