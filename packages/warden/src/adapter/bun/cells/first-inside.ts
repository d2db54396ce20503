/** The first process in a namespace of its own, known by the number that it has outside. The kernel ends it after all others there. */
import { readFileSync } from "node:fs";
import type { Clock } from "@hearth/protocol";
import { identityOf } from "../plain-folder.ts";

const MAX_LOOKS = 1000;
const PAUSE_MS = 2;

/** What bubblewrap tells on a descriptor of its own. Nothing when it ended before. */
export const readFirstInside = async (descriptor: number): Promise<number | undefined> => {
  const pid = /"child-pid": (\d+)/.exec(await Bun.file(descriptor).text())?.[1];
  return pid === undefined ? undefined : Number(pid);
};

/**
 * Ends it, with all others there, and waits until it is gone. It goes by itself when bubblewrap does, but for one that had not yet asked for that
 * when bubblewrap was ended.
 */
export const endFirstInside = async (pid: number, clock: Clock): Promise<void> => {
  if (isFirstInside(pid)) kill(pid);
  for (let look = 0; look < MAX_LOOKS && isFirstInside(pid); look += 1) await clock.sleep(PAUSE_MS);
};

/** What it has at a path, once its view is whole: until then it has the host's root, or one with nothing in it. Nothing when it ends before. */
export const seenInside = async (pid: number, path: string, clock: Clock): Promise<string | undefined> => {
  const outside = identityOf("/");
  for (let look = 0; look < MAX_LOOKS && isFirstInside(pid); look += 1) {
    try {
      if (identityOf(`/proc/${pid}/root/`) !== outside) return identityOf(`/proc/${pid}/root${path}`);
    } catch {
      // Not there yet.
    }
    await clock.sleep(PAUSE_MS);
  }
  return undefined;
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
};

/** Whether it runs. Whoever has got its number since is none. */
export const isFirstInside = (pid: number): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /^NSpid:.*\t1$/m.test(status) && !/^State:\s+[ZX]/m.test(status);
  } catch {
    return false;
  }
};
