/**
 * Reads process trees, memory and CPU time from /proc. Linux only; other systems report nothing.
 */
import { statfsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { cpus, loadavg, release, tmpdir } from "node:os";

export const hasProc: boolean = process.platform === "linux";
export const NEEDS_PROC = "needs /proc: Linux only";

/** Ticks per second in the CPU times of /proc. The kernel's internal ticks can differ. */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly parent: number;
  readonly cpuMs: number;
  /** CPU time of its ended descendants. */
  readonly endedCpuMs: number;
}

/**
 * Parses `/proc/PID/stat`. The process name may contain anything, so fields start after its last
 * parenthesis.
 */
export const parseStat = (text: string): Process => {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = (field: number): number => Number(fields[field]);
  return { parent: ticks(1), cpuMs: toMs(ticks(11) + ticks(12)), endedCpuMs: toMs(ticks(13) + ticks(14)) };
};

/**
 * Parses the first line of `/proc/stat`: busy time of all processors, including time taken by other
 * virtual machines.
 */
export const parseBusy = (text: string): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = text
    .slice("cpu".length)
    .trim()
    .split(/\s+/)
    .map(Number);
  return toMs(user + nice + system + irq + softIrq + steal);
};

/** Parses `/proc/PID/smaps_rollup`, in MiB: each shared page counts by this process's share. */
export const parsePss = (text: string): number => parseLine(text, "Pss");

/** Returns anonymous memory, which shared files and the page cache do not affect. */
export const parseOwn = (text: string): number => parseLine(text, "Pss_Anon");

/** Memory of one process, in MiB: pages of one file, resident, and everything else, shared pages by share. */
interface Split {
  readonly fileMib: number;
  readonly otherMib: number;
}

/** Parses `/proc/PID/smaps` into the mappings of a file and all others. */
export const parseSplit = (text: string, path: string): Split => {
  let isFile = false;
  let fileKib = 0;
  let otherKib = 0;
  for (const line of text.split("\n")) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isFile = line.endsWith(` ${path}`);
    const [, name, kib] = /^(Rss|Pss):\s+(\d+) kB$/.exec(line) ?? [];
    if (isFile && name === "Rss") fileKib += Number(kib);
    if (!isFile && name === "Pss") otherKib += Number(kib);
  }
  return { fileMib: fileKib / 1024, otherMib: otherKib / 1024 };
};

const parseLine = (text: string, name: string): number => {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  if (kib === undefined) throw new Error(`smaps_rollup has no ${name}.`);
  return Number(kib) / 1024;
};

/** A process and all its descendants. */
export const treeOf = async (root: number): Promise<readonly number[]> => {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const process = await readStat(pid);
    if (process !== undefined) children.set(process.parent, [...(children.get(process.parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

/** Returns the memory of these processes. A process that ended since it was listed counts as 0. */
export const pssOf = async (pids: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(pids.map(pssOfOne));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const pssOfOne = async (pid: number): Promise<number> => {
  try {
    return parsePss(await readFile(`/proc/${pid}/smaps_rollup`, "utf8"));
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
    throw error;
  }
};

export const ownOf = async (pid: number): Promise<number> =>
  parseOwn(await readFile(`/proc/${pid}/smaps_rollup`, "utf8"));

/**
 * Returns the memory of these processes as if no other process used the runtime. The bench and its
 * model run in Bun too, so the PSS counts only a share of the runtime's pages.
 */
export const pssAloneOf = async (pids: readonly number[]): Promise<number> => {
  const splits = await Promise.all(
    pids.map(async (pid) => parseSplit(await readFile(`/proc/${pid}/smaps`, "utf8"), process.execPath)),
  );
  return Math.max(...splits.map(({ fileMib }) => fileMib)) + splits.reduce((sum, { otherMib }) => sum + otherMib, 0);
};

/** CPU time since each process started, in milliseconds. */
export const cpuOf = async (pids: readonly number[]): Promise<number> => {
  const times = await Promise.all(pids.map(async (pid) => (await readStat(pid))?.cpuMs ?? 0));
  return times.reduce((sum, time) => sum + time, 0);
};

/** CPU time used up to a moment, in milliseconds. */
export interface Work {
  readonly atMs: number;
  /** Time of all processes. */
  readonly busyMs: number;
  /** Time of this process and its ended descendants. */
  readonly ownMs: number;
}

/**
 * The share of all processors, 0 to 1, that other processes used between two moments. Lower is
 * better for measurements.
 */
export const shareOfOthers = (begin: Work, end: Work, processors: number): number => {
  const others = end.busyMs - begin.busyMs - (end.ownMs - begin.ownMs);
  return Math.max(0, others / ((end.atMs - begin.atMs) * processors));
};

export const readWork = async (): Promise<Work> => {
  const own = await readStat(process.pid);
  const busyMs = parseBusy(await readFile("/proc/stat", "utf8"));
  return { atMs: performance.now(), busyMs, ownMs: (own?.cpuMs ?? 0) + (own?.endedCpuMs ?? 0) };
};

const toMs = (ticks: number): number => (ticks * 1000) / TICKS_PER_SECOND;

const readStat = async (pid: number): Promise<Process | undefined> => {
  try {
    return parseStat(await readFile(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // The process ended after it was listed.
    return undefined;
  }
};

/**
 * Describes the machine in one line, including its load and whether temporary files are on a disk.
 */
export const describeMachine = (): string => {
  const processors = cpus();
  const load = loadavg()[0] ?? 0;
  const folder = tmpdir();
  const disk = statfsSync(folder).type === TMPFS ? "memory, not a disk" : "disk";
  return [
    `${process.platform} ${release()} ${process.arch}`,
    `${processors.length} x ${processors[0]?.model.trim() ?? "unknown"}`,
    `Bun ${Bun.version}`,
    `homes in ${folder} (${disk})`,
    `load before ${load.toFixed(2)}`,
  ].join(", ");
};

/** File system type of tmpfs on Linux, which never waits for a disk. */
const TMPFS = 0x01_02_19_94;
