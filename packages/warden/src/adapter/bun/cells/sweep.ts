/** Ends what a cell without a wall for it has left behind. What hides from this only a wall holds. */
import { readdir, readFile } from "node:fs/promises";
import type { Clock } from "@hearth/protocol";

/** Looks for leftovers at most so often, a clock's turn of a few milliseconds apart. */
const MAX_SWEEPS = 200;
const SWEEP_PAUSE_MS = 5;

/**
 * Ends whatever the cell has left behind, known by one of these in its environment, and stays until it is gone: a killed process
 * takes its moment, and one that forks may have had another child meanwhile. Only Linux shows a process's environment.
 */
export const sweepMarked = async (clock: Clock, marks: readonly string[]): Promise<void> => {
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
