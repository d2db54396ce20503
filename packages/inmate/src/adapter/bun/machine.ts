/**
 * Describes the machine's hardware on Linux and macOS. In a limited cell, the memory is that of the
 * control group.
 */
import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, cpus, freemem, release, totalmem, type } from "node:os";
import type { Machine } from "../../tools/machine.ts";

/** Files with the limit and usage of a control group, for versions 2 and 1. */
const CONTROL_GROUP_FILES = [
  ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"],
  ["/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"],
] as const;

export const createBunMachine = (workspace: string): Machine => ({
  async describe() {
    const { blocks, bsize, bavail } = await statfs(workspace);
    const memory = await memoryOf();
    return {
      system: `${type()} ${release()} ${process.arch}`,
      processors: availableParallelism(),
      processor: cpus()[0]?.model.trim() ?? "unknown",
      ...memory,
      disk: blocks * bsize,
      freeDisk: bavail * bsize,
    };
  },
});

const memoryOf = async (): Promise<{ readonly memory: number; readonly freeMemory: number }> => {
  for (const [limitPath, usagePath] of CONTROL_GROUP_FILES) {
    const [limit, used] = await Promise.all([readNumber(limitPath), readNumber(usagePath)]);
    if (limit !== undefined && used !== undefined && limit < totalmem())
      return { memory: limit, freeMemory: Math.max(0, limit - used) };
  }
  return { memory: totalmem(), freeMemory: freemem() };
};

const readNumber = async (path: string): Promise<number | undefined> => {
  const text = await readFile(path, "utf8").catch(() => "");
  return /^\d+\s*$/.test(text) ? Number(text) : undefined;
};
