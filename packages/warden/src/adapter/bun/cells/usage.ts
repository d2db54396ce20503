/** What a cell uses of the machine at the moment, as far as anybody can see who looks from outside. */
import { readdir, readFile, stat, statfs } from "node:fs/promises";

const PAGE_SIZE = 4096;
/** What a file takes at least, in a block or by its entry alone. */
const FILE_SIZE = 4096;

/** A process and all that it started. One that lost its parent is with whoever has taken it on. */
export const processesBelow = async (pid: number): Promise<readonly number[]> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)));
  const below = children.flatMap((text) => text.split(" ")).filter((name) => name !== "");
  return [pid, ...(await Promise.all(below.map((child) => processesBelow(Number(child))))).flat()];
};

/** What processes have in memory. One that ends meanwhile counts as nothing. */
export const residentBytes = async (pids: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(pids.map((pid) => read(`/proc/${pid}/statm`)));
  return sizes.reduce((sum, text) => sum + Number(text.split(" ")[1] ?? 0) * PAGE_SIZE, 0);
};

/** What they hold on the folders' disks that has no name any more, and that no walk finds: files that were removed while they are open. */
export const namelessBytes = async (pids: readonly number[], folders: readonly string[]): Promise<number> => {
  const disks = new Set((await Promise.all(folders.map(look))).map((found) => found?.dev));
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    // Those that are only mapped are told to root alone.
    for (const place of [`/proc/${pid}/fd`, `/proc/${pid}/map_files`])
      for (const name of await readdir(place).catch(() => [])) {
        const found = await look(`${place}/${name}`);
        if (found === undefined || !found.isFile() || found.nlink > 0n || !disks.has(found.dev)) continue;
        sizes.set(`${found.dev}:${found.ino}`, Number(found.blocks) * 512);
      }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

/** What is in folders. `closed`: folders that may not be read. */
export interface Held {
  readonly bytes: number;
  readonly closed: number;
}

/** By a program: there may be more files than the house should be busy with. */
export const measure = async (folders: readonly string[]): Promise<Held> => du(folders, "-skx", 1024);

/** The same, as if each file were an empty one: such ones fill a disk as well. Nothing where the program does not know how. */
export const measureFiles = async (folders: readonly string[]): Promise<number> =>
  (await du(folders, "-sx", FILE_SIZE, "--inodes")).bytes;

const du = async (folders: readonly string[], how: string, unit: number, ...more: readonly string[]): Promise<Held> => {
  const child = Bun.spawn(["du", how, ...more, "--", ...folders], {
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [sizes, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const bytes = sizes.split("\n").reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * unit, 0);
  return { bytes, closed: complaints.split("Permission denied").length - 1 };
};

/** What the folders' disks have left, in bytes, and in files as above. */
export const freeOn = async (
  folders: readonly string[],
): Promise<{ readonly bytes: number; readonly files: number }> => {
  const all = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)));
  return {
    bytes: all.reduce((sum, each) => sum + (each === undefined ? 0 : each.bavail * each.bsize), 0),
    files: all.reduce((sum, each) => sum + (each === undefined ? 0 : each.ffree * FILE_SIZE), 0),
  };
};

const look = (path: string) => stat(path, { bigint: true }).catch(() => undefined);
const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
