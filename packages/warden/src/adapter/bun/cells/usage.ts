/** Measures the resources that a cell uses, from outside. */
import { readdir, readFile, stat, statfs } from "node:fs/promises";

const PAGE_SIZE = 4096;
/** Minimum disk space that a file takes, for a block or its directory entry. */
export const MIN_FILE_BYTES = 4096;

/** Returns a process and its descendants. An orphaned process is listed below its new parent. */
export const processesBelow = async (pid: number): Promise<readonly number[]> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)));
  const childPids = children.flatMap((text) => text.split(" ")).filter((name) => name !== "");
  return [pid, ...(await Promise.all(childPids.map((child) => processesBelow(Number(child))))).flat()];
};

/** Returns the resident memory of processes. A process that ends during the measurement counts as 0. */
export const residentBytes = async (pids: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(pids.map((pid) => read(`/proc/${pid}/statm`)));
  return sizes.reduce((sum, text) => sum + Number(text.split(" ")[1] ?? 0) * PAGE_SIZE, 0);
};

/**
 * Returns the bytes of files on the folders' disks that were deleted while these processes have
 * them open. A walk over the folders does not find such files.
 */
export const bytesOfDeletedOpenFiles = async (pids: readonly number[], folders: readonly string[]): Promise<number> => {
  const disks = new Set((await Promise.all(folders.map(statOrUndefined))).map((stats) => stats?.dev));
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    // Files that are only mapped are visible to root only.
    for (const folder of [`/proc/${pid}/fd`, `/proc/${pid}/map_files`])
      for (const name of await readdir(folder).catch(() => [])) {
        const stats = await statOrUndefined(`${folder}/${name}`);
        if (stats === undefined || !stats.isFile() || stats.nlink > 0n || !disks.has(stats.dev)) continue;
        sizes.set(`${stats.dev}:${stats.ino}`, Number(stats.blocks) * 512);
      }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

/** How much space folders use, and how many of them could not be read. */
export interface FolderUsage {
  readonly bytes: number;
  readonly unreadableFolders: number;
}

/** Measures folders with `du`, because counting many files in the daemon would block it. */
export const measure = async (folders: readonly string[]): Promise<FolderUsage> => du(folders, "-skx", 1024);

/**
 * Returns the number of files in the folders, as bytes: `MIN_FILE_BYTES` for each file, because
 * empty files fill a disk as well. Returns 0 if this `du` cannot count files.
 */
export const measureFiles = async (folders: readonly string[]): Promise<number> =>
  (await du(folders, "-sx", MIN_FILE_BYTES, "--inodes")).bytes;

const du = async (
  folders: readonly string[],
  flags: string,
  unit: number,
  ...options: readonly string[]
): Promise<FolderUsage> => {
  const child = Bun.spawn(["du", flags, ...options, "--", ...folders], {
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [sizes, errorOutput] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const bytes = sizes.split("\n").reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * unit, 0);
  return { bytes, unreadableFolders: errorOutput.split("Permission denied").length - 1 };
};

/** Returns the free space of the folders' disks in bytes, and in files counted as above. */
export const freeOn = async (
  folders: readonly string[],
): Promise<{ readonly bytes: number; readonly files: number }> => {
  const disks = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)));
  return {
    bytes: disks.reduce((sum, disk) => sum + (disk === undefined ? 0 : disk.bavail * disk.bsize), 0),
    files: disks.reduce((sum, disk) => sum + (disk === undefined ? 0 : disk.ffree * MIN_FILE_BYTES), 0),
  };
};

const statOrUndefined = (path: string) => stat(path, { bigint: true }).catch(() => undefined);
const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
