/**
 * Ends processes that a cell without a kernel wall left behind. A process that cleared its
 * environment is not found. Only a kernel wall contains it.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "@hearth/protocol";

/** Maximum number of scans for remaining processes, a few milliseconds apart. */
const MAX_SCANS = 200;
const PAUSE_MS = 5;

/**
 * Ends every process that has one of these variables in its environment, and scans again until none
 * is left: a killed process takes a moment, and a forking one may have had another child meanwhile.
 * Only Linux exposes a process's environment.
 */
export const sweepMarked = async (clock: Clock, marks: readonly string[]): Promise<void> => {
  if (process.platform !== "linux") return;
  for (let scan = 0; scan < MAX_SCANS; scan += 1) {
    const markedPids = findMarked(marks);
    if (markedPids.length === 0) return;
    for (const pid of markedPids) kill(pid);
    await clock.sleep(PAUSE_MS);
  }
};

const findMarked = (marks: readonly string[]): readonly number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      const variables = readEnvironment(pid).split("\0");
      return marks.some((mark) => variables.includes(mark));
    });

/**
 * Returns an empty text for a process that ended meanwhile, or that belongs to another user and so
 * is not the cell's.
 */
const readEnvironment = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
};
