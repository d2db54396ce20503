/** Measures the resources that a cell uses, from outside. */
import { readdir, readFile, stat, statfs } from "node:fs/promises";

const PAGE_SIZE = 4096;
/** Minimum disk space that a file takes, for a block or its directory entry. */
export const MIN_FILE_BYTES = 4096;

/** A process and its descendants. An orphaned process is listed below its new parent. */
export const processesBelow = async (pid: number): Promise<readonly number[]> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)));
  const below = children.flatMap((text) => text.split(" ")).filter((name) => name !== "");
  return [pid, ...(await Promise.all(below.map((child) => processesBelow(Number(child))))).flat()];
};

/** Returns the resident memory of processes. A process that ends meanwhile counts as 0. */
export const residentBytes = async (pids: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(pids.map((pid) => read(`/proc/${pid}/statm`)));
  return sizes.reduce((sum, text) => sum + Number(text.split(" ")[1] ?? 0) * PAGE_SIZE, 0);
};

/**
 * Bytes of files on the folders' disks that were deleted while these processes have them open. A
 * walk over the folders does not find such files.
 */
export const bytesOfDeletedOpenFiles = async (pids: readonly number[], folders: readonly string[]): Promise<number> => {
  const disks = new Set((await Promise.all(folders.map(look))).map((found) => found?.dev));
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    // Files that are only mapped are visible to root only.
    for (const place of [`/proc/${pid}/fd`, `/proc/${pid}/map_files`])
      for (const name of await readdir(place).catch(() => [])) {
        const found = await look(`${place}/${name}`);
        if (found === undefined || !found.isFile() || found.nlink > 0n || !disks.has(found.dev)) continue;
        sizes.set(`${found.dev}:${found.ino}`, Number(found.blocks) * 512);
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
 * The number of files in the folders, as bytes: `MIN_FILE_BYTES` for each file, because empty files
 * fill a disk as well. 0 if this `du` cannot count files.
 */
export const measureFiles = async (folders: readonly string[]): Promise<number> =>
  (await du(folders, "-sx", MIN_FILE_BYTES, "--inodes")).bytes;

const du = async (
  folders: readonly string[],
  how: string,
  unit: number,
  ...more: readonly string[]
): Promise<FolderUsage> => {
  const child = Bun.spawn(["du", how, ...more, "--", ...folders], {
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
  const all = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)));
  return {
    bytes: all.reduce((sum, each) => sum + (each === undefined ? 0 : each.bavail * each.bsize), 0),
    files: all.reduce((sum, each) => sum + (each === undefined ? 0 : each.ffree * MIN_FILE_BYTES), 0),
  };
};

const look = (path: string) => stat(path, { bigint: true }).catch(() => undefined);
const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
