/**
 * The first process of a PID namespace, identified by its id outside. The kernel ends it after all
 * other processes of the namespace.
 */
import { readFileSync } from "node:fs";
import type { Clock } from "@hearth/protocol";
import { identityOf } from "../plain-folder.ts";

const MAX_CHECKS = 1000;
const PAUSE_MS = 2;

/**
 * Reads the id that bubblewrap reports on a descriptor. Returns undefined if bubblewrap has ended
 * before.
 */
export const readFirstInside = async (descriptor: number): Promise<number | undefined> => {
  const pid = /"child-pid": (\d+)/.exec(await Bun.file(descriptor).text())?.[1];
  return pid === undefined ? undefined : Number(pid);
};

/**
 * Ends the process with all others in its namespace, and waits until it has ended. It normally ends
 * with bubblewrap, unless bubblewrap was killed before it had requested that.
 */
export const endFirstInside = async (pid: number, clock: Clock): Promise<void> => {
  if (isFirstInside(pid)) kill(pid);
  for (let check = 0; check < MAX_CHECKS && isFirstInside(pid); check += 1) await clock.sleep(PAUSE_MS);
};

/**
 * Returns the identity of the file at a path in the process's view, once the view is complete.
 * Before that, the view is the host's root or an empty one. Returns undefined when the process ends
 * first.
 */
export const identityInside = async (pid: number, path: string, clock: Clock): Promise<string | undefined> => {
  const outside = identityOf("/");
  for (let check = 0; check < MAX_CHECKS && isFirstInside(pid); check += 1) {
    try {
      if (identityOf(`/proc/${pid}/root/`) !== outside) return identityOf(`/proc/${pid}/root${path}`);
    } catch {
      // The view does not exist yet.
    }
    await clock.sleep(PAUSE_MS);
  }
  return undefined;
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
};

/** Whether the process runs. A later process with the same id does not count. */
export const isFirstInside = (pid: number): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /^NSpid:.*\t1$/m.test(status) && !/^State:\s+[ZX]/m.test(status);
  } catch {
    return false;
  }
};
