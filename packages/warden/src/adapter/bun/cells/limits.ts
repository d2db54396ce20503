/**
 * What a cell may use up, held: by a control group where there is one, by the limits that every process has, and by a look now and then
 * at what no kernel counts for us. Whoever passes a limit that is only looked at ends with its cell, and is told why.
 */
import { readdir, readFile, statfs, writeFile } from "node:fs/promises";
import { type CellLimits, type Clock, HearthError, type Wall } from "@hearth/protocol";
import type { CellGroup, CellGroups } from "./cgroup.ts";
import { createWalks } from "./walks.ts";

export interface CellGuard {
  /** What the kernel holds for the cell as a whole. */
  readonly holds: ReadonlySet<Wall>;
  /**
   * The command that starts `argv` under the limits, with an empty environment but for `environment`. `later`: but for those of the groups,
   * which what it starts must wait for until `join` has put it there.
   */
  wrap(argv: readonly string[], options?: WrapOptions): readonly string[];
  /** Puts a process into the groups: what it starts from then on is in them. Throws `cell.unavailable`. */
  join(pid: number): Promise<void>;
  /** Looks at the process, all below it, and the folders, until `end`. `over` gets words for a limit that was passed. */
  watch(pid: number, over: (why: string) => void): void;
  /** Words for a limit that the kernel held. */
  report(): Promise<string | undefined>;
  /** Nothing that was started under the guard is left. */
  end(): Promise<void>;
}

export interface WrapOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly groups?: "later";
}

export interface CellGuardOptions {
  readonly clock: Clock;
  readonly groups: CellGroups;
  readonly limits: CellLimits;
  /** What is on a disk and counts as the cell's. */
  readonly folders: readonly string[];
}

/**
 * Joins the groups first: what is started afterwards is in them from its first moment. All at once, because the kernel waits a while before
 * the first one and not before those that come meanwhile.
 */
const LAUNCH = `
all=
while [ "$1" != -- ]; do { echo $$ >"$1"; } & all="$all $!"; shift; done
for each in $all; do wait "$each" || { echo "no control group could be joined" >&2; exit 125; }; done
ulimit -c 0; ulimit -f "$2"
shift 2
exec env -i "$@"`;
/** What POSIX counts a file's size in. */
const BLOCK_SIZE = 512;
const LOOK_MS = 1000;
/** A walk over the folders may take this share of the time at most. */
const WALK_SHARE = 20;

export const createCellGuard = async (options: CellGuardOptions): Promise<CellGuard> => {
  const { clock, groups, limits, folders } = options;
  const group: CellGroup | undefined = await groups.open(limits);
  const holds = group?.holds ?? new Set<Wall>();
  const doors = group?.doors ?? [];
  const over = new AbortController();

  const watchMemory = async (pid: number, tell: (why: string) => void): Promise<void> => {
    while (!over.signal.aborted) {
      if ((await residentBytes(pid)) > limits.memoryMiB * MiB)
        return tell(`it used up its ${limits.memoryMiB} MiB of memory`);
      await clock.sleep(LOOK_MS, over.signal);
    }
  };

  /** One that was over its limit when it was opened may still be read and cleared out: only what grows is ended. */
  const watchDisk = async (tell: (why: string) => void): Promise<void> => {
    const seen = await freeBytes(folders);
    const before = await measure(folders);
    const most = Math.max(limits.diskMiB * MiB, before.bytes);
    const walks = createWalks({ clock, most, free: seen, bytes: before.bytes });
    while (!over.signal.aborted) {
      const free = await freeBytes(folders);
      if (walks.isDue(free)) {
        const startedAt = clock.monotonic();
        const { bytes, closed } = await measure(folders);
        if (bytes > most) return tell(`its files hold more than its ${limits.diskMiB} MiB`);
        if (closed > before.closed) return tell("it closed a folder to whoever counts its files");
        walks.made(free, bytes);
        await clock.sleep((clock.monotonic() - startedAt) * WALK_SHARE, over.signal);
      }
      await clock.sleep(LOOK_MS, over.signal);
    }
  };

  return {
    holds,
    wrap: (argv, { environment = {}, groups: join } = {}) => [
      ...["/bin/sh", "-c", LAUNCH, "sh", ...(join === "later" ? [] : doors), "--"],
      String((limits.fileMiB * MiB) / BLOCK_SIZE),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...argv,
    ],
    async join(pid) {
      try {
        // All at once, as above.
        await Promise.all(doors.map((door) => writeFile(door, String(pid), { flag: "r+" })));
      } catch (cause) {
        throw new HearthError("cell.unavailable", "The cell could not be put into its control groups.", {
          hint: "Run: hearth doctor",
          cause,
        });
      }
    },
    watch(pid, tell) {
      if (!holds.has("memory")) void watchMemory(pid, tell);
      void watchDisk(tell);
    },
    report: async () => group?.report(),
    async end() {
      over.abort();
      await group?.end();
    },
  };
};

const MiB = 1024 * 1024;
const PAGE_SIZE = 4096;

/** What a process and all that it started have in memory. One that ends meanwhile counts as nothing. */
const residentBytes = async (pid: number): Promise<number> => {
  const [, pages = "0"] = (await read(`/proc/${pid}/statm`)).split(" ");
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)));
  const below = children.flatMap((text) => text.split(" ")).filter((name) => name !== "");
  const sizes = await Promise.all(below.map((child) => residentBytes(Number(child))));
  return sizes.reduce((sum, size) => sum + size, Number(pages) * PAGE_SIZE);
};

/** By a program: the folders may hold more files than the house should be busy with. `closed`: folders that it may not read. */
const measure = async (folders: readonly string[]): Promise<{ readonly bytes: number; readonly closed: number }> => {
  const child = Bun.spawn(["du", "-skx", "--", ...folders], {
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [sizes, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const bytes = sizes.split("\n").reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * 1024, 0);
  return { bytes, closed: complaints.split("Permission denied").length - 1 };
};

const freeBytes = async (folders: readonly string[]): Promise<number> => {
  const all = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)));
  return all.reduce((sum, each) => sum + (each === undefined ? 0 : each.bavail * each.bsize), 0);
};

const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
