/**
 * Enforces a cell's resource limits: with a control group if available, with process limits, and by
 * measuring what the kernel does not count. A cell that exceeds a measured limit is ended with the
 * reason.
 */
import { writeFile } from "node:fs/promises";
import { type CellLimits, type Clock, HearthError, type Wall } from "@hearth/protocol";
import type { CellGroup, CellGroups } from "./cgroup.ts";
import { FILE_SIZE, freeOn, measure, measureFiles, namelessBytes, processesBelow, residentBytes } from "./usage.ts";
import { createWalks } from "./walks.ts";

export interface CellGuard {
  /** The limits that the kernel enforces for the cell as a whole. */
  readonly holds: ReadonlySet<Wall>;
  /**
   * Returns the command that starts `argv` under the limits, with only `environment` as its
   * environment. With `later` it does not join the groups; what it starts must then wait until
   * `join` has done that.
   */
  wrap(argv: readonly string[], options?: WrapOptions): readonly string[];
  /**
   * Puts a process into the groups; what it starts afterwards is in them. Throws
   * `cell.unavailable`.
   */
  join(pid: number): Promise<void>;
  /**
   * Measures the process, its descendants and the folders until `end`. Calls `over` with the limit
   * that was exceeded.
   */
  watch(pid: number, over: (why: string) => void): void;
  /** The limit that the kernel enforced, if any. */
  report(): Promise<string | undefined>;
  /** Ends everything that was started under the guard. */
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
  /** Folders on disk that count as the cell's. */
  readonly folders: readonly string[];
  /** Most files in the folders, including empty ones. A walk over more would keep the daemon busy. */
  readonly maxFiles?: number;
}

export const MAX_CELL_FILES = 200_000;

/**
 * Joins the groups before the program starts, so that all its processes are in them. All groups in
 * parallel, because the kernel delays the first join and not those that arrive meanwhile.
 */
const LAUNCH = `
all=
while [ "$1" != -- ]; do { echo $$ >"$1"; } & all="$all $!"; shift; done
for each in $all; do wait "$each" || { echo "no control group could be joined" >&2; exit 125; }; done
ulimit -c 0; ulimit -f "$2"
shift 2
exec env -i "$@"`;
/** The POSIX unit of file sizes. */
const BLOCK_SIZE = 512;
const LOOK_MS = 1000;
/** The largest share of time that walks over the folders may take. */
const WALK_SHARE = 20;

export const createCellGuard = async (options: CellGuardOptions): Promise<CellGuard> => {
  const { clock, groups, limits, folders, maxFiles = MAX_CELL_FILES } = options;
  const group: CellGroup | undefined = await groups.open(limits);
  const holds = group?.holds ?? new Set<Wall>();
  const processFiles = group?.processFiles ?? [];
  const controller = new AbortController();

  const watchMemory = async (pid: number, tell: (why: string) => void): Promise<void> => {
    while (!controller.signal.aborted) {
      if ((await residentBytes(await processesBelow(pid))) > limits.memoryMiB * MiB)
        return tell(`it used up its ${limits.memoryMiB} MiB of memory`);
      await clock.sleep(LOOK_MS, controller.signal);
    }
  };

  /** A member of the group counts, whatever its parent. */
  const members = async (pid: number): Promise<readonly number[]> => [
    ...new Set([...(await processesBelow(pid)), ...((await group?.members()) ?? [])]),
  ];

  /**
   * A cell that was over its limit when opened may still be read and cleaned up: only growth by more
   * than `CLEANUP_BYTES` ends it.
   */
  const watchDisk = async (pid: number, tell: (why: string) => void): Promise<void> => {
    const seen = await freeOn(folders);
    const [before, files] = [await measure(folders), await measureFiles(folders)];
    const limit = limits.diskMiB * MiB;
    const most = withCleanup(before.bytes, limit);
    const walks = createWalks({ clock, most, free: seen.bytes, bytes: before.bytes });
    const mostFiles = withCleanup(files, Math.min(limit, maxFiles * FILE_SIZE));
    const counts = createWalks({ clock, most: mostFiles, free: seen.files, bytes: files });
    while (!controller.signal.aborted) {
      const free = await freeOn(folders);
      const startedAt = clock.monotonic();
      if (walks.isDue(free.bytes)) {
        const { bytes, closed } = await measure(folders);
        const all = bytes + (await namelessBytes(await members(pid), folders));
        if (all > most) return tell(`its files use more than its ${limits.diskMiB} MiB`);
        if (closed > before.closed) return tell("it removed the permission to count the files of a folder");
        walks.made(free.bytes, all);
      }
      if (counts.isDue(free.files)) {
        const bytes = await measureFiles(folders);
        if (bytes > mostFiles)
          return tell(
            mostFiles < limits.diskMiB * MiB
              ? `it has more than ${Math.floor(mostFiles / FILE_SIZE)} files`
              : `its files are more than its ${limits.diskMiB} MiB have room for`,
          );
        counts.made(free.files, bytes);
      }
      await clock.sleep((clock.monotonic() - startedAt) * WALK_SHARE, controller.signal);
      await clock.sleep(LOOK_MS, controller.signal);
    }
  };

  return {
    holds,
    wrap: (argv, { environment = {}, groups: join } = {}) => [
      ...["/bin/sh", "-c", LAUNCH, "sh", ...(join === "later" ? [] : processFiles), "--"],
      String((limits.fileMiB * MiB) / BLOCK_SIZE),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...argv,
    ],
    async join(pid) {
      try {
        // In parallel, as above.
        await Promise.all(processFiles.map((file) => writeFile(file, String(pid), { flag: "r+" })));
      } catch (cause) {
        throw new HearthError("cell.unavailable", "Could not put the cell into its control groups.", {
          hint: "Run: hearth doctor",
          cause,
        });
      }
    },
    watch(pid, tell) {
      /** A cell whose use cannot be measured ends: its limits would not hold. */
      const unmeasured =
        (what: string) =>
        (error: unknown): void => {
          if (controller.signal.aborted) return;
          tell(`its ${what} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
        };
      if (!holds.has("memory")) watchMemory(pid, tell).catch(unmeasured("memory"));
      watchDisk(pid, tell).catch(unmeasured("files"));
    },
    report: async () => group?.report(),
    async end() {
      controller.abort();
      await group?.end();
    },
  };
};

const MiB = 1024 * 1024;
/** Space for the files that the inmate and a shell write before a command can remove any. */
const CLEANUP_BYTES = MiB;
/** The limit of a cell that used this much when it was opened. */
const withCleanup = (used: number, limit: number): number => (used > limit ? used + CLEANUP_BYTES : limit);
