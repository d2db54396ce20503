/** Ends what a cell without a wall for it has left behind. What hides from this only a wall holds. */
import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "@hearth/protocol";

/** By what a cell's processes are known. One of them is enough. */
export interface Marks {
  /** Whole variables of an environment, which a process may leave behind. */
  readonly environment: readonly string[];
  /** The value of `MARKED_LIMIT`, which no process in the cell can change. */
  readonly limit?: number;
}

/** Looks for leftovers at most so often, a clock's turn of a few milliseconds apart. */
const MAX_LOOKS = 200;
const PAUSE_MS = 5;
/** Looks that find nothing before that is believed, where nobody can hide. One that forks all the time may still be missed by all: only a group holds it. */
const CLEAN_LOOKS = 5;
/** Numbers after the last process that are looked at too: one that forks all the time is by then a later one than any that was listed. */
const AHEAD = 64;

/**
 * Ends whatever the cell has left behind, and stays until it is gone: a killed process takes its moment, and one that forks may have had another
 * child meanwhile. Only Linux shows a process's environment and limits.
 */
export const sweepMarked = async (clock: Clock, marks: Marks): Promise<void> => {
  if (process.platform !== "linux") return;
  const wanted = marks.limit === undefined ? 1 : CLEAN_LOOKS;
  for (let look = 0, clean = 0; look < MAX_LOOKS && clean < wanted; look += 1) {
    if (look > 0) await clock.sleep(PAUSE_MS);
    clean = endMarked(marks) ? 0 : clean + 1;
  }
};

/** Whether there was one. Those that began last come first, and none waits for another: a process may be there for less than a millisecond. */
const endMarked = (marks: Marks): boolean => {
  const pids = readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((one, other) => other - one);
  const later = (pids[0] ?? 0) + 1;
  let found = false;
  for (let pid = later, end = later + AHEAD; pid < end; pid += 1) {
    if (!endIfMarked(pid, marks)) continue;
    found = true;
    end = pid + AHEAD;
  }
  for (const pid of pids) if (endIfMarked(pid, marks)) found = true;
  return found;
};

const endIfMarked = (pid: number, marks: Marks): boolean => {
  if (!isMarked(pid, marks)) return false;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
  return true;
};

const isMarked = (pid: number, { environment, limit }: Marks): boolean => {
  if (environment.length > 0) {
    const variables = read(`/proc/${pid}/environ`).split("\0");
    if (environment.some((mark) => variables.includes(mark))) return true;
  }
  if (limit === undefined || !LIMIT.exec(read(`/proc/${pid}/limits`))?.includes(String(limit))) return false;
  // The limits of one that has ended are told until somebody has looked after it.
  return !/\) [ZX] /.test(read(`/proc/${pid}/stat`));
};

/** As the kernel names the marked one. */
const LIMIT = /^Max realtime timeout +(\d+)/m;

/** Nothing of one that ended meanwhile, or that belongs to somebody else and so is not the cell's. */
const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
