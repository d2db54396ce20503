/** Ends what a cell without a wall for it has left behind. What has emptied its environment hides from this: only a wall holds it. */
import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "@hearth/protocol";

/** Looks for leftovers at most so often, a clock's turn of a few milliseconds apart. */
const MAX_LOOKS = 200;
const PAUSE_MS = 5;

/**
 * Ends whatever has one of these whole variables in its environment, and stays until it is gone: a killed process takes its moment, and one
 * that forks may have had another child meanwhile. Only Linux shows a process's environment.
 */
export const sweepMarked = async (clock: Clock, marks: readonly string[]): Promise<void> => {
  if (process.platform !== "linux") return;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const left = findMarked(marks);
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
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

/** Nothing of one that ended meanwhile, or that belongs to somebody else and so is not the cell's. */
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
    // It ended meanwhile.
  }
};
