/**
 * Enforces a cell's resource limits: with a control group if available, with ulimits for file sizes
 * and core dumps, and by measuring what the kernel does not limit. The caller ends a cell that
 * exceeds a measured limit, and shows the reason.
 */
import { writeFile } from "node:fs/promises";
import { type CellLimits, type Clock, HearthError, type Wall } from "@hearth/protocol";
import type { CellGroup, CellGroups } from "./cgroup.ts";
import {
  MIN_FILE_BYTES,
  freeOn,
  measure,
  measureFiles,
  bytesOfDeletedOpenFiles,
  processesBelow as processTreeOf,
  residentBytes,
} from "./usage.ts";
import { createWalkSchedule } from "./walks.ts";

export interface CellLimiter {
  /** The limits that the kernel enforces for the whole cell, of `memory`, `pids` and `cpu`. */
  readonly kernelEnforced: ReadonlySet<Wall>;
  /**
   * Returns the command that starts `argv` under the limits, with only `environment` as its
   * environment. With `groups: "later"`, the command does not join the control groups: the caller
   * must call `join` with its pid before the command starts other processes.
   */
  wrap(argv: readonly string[], options?: WrapOptions): readonly string[];
  /**
   * Puts a process into the control groups, and with it every process that it starts afterwards.
   * Throws `cell.unavailable`.
   */
  join(pid: number): Promise<void>;
  /**
   * Measures the process, its descendants and the folders until `end`. Calls `onExceeded` with the
   * reason, a clause whose subject is the cell: "it used up its 64 MiB of memory".
   */
  watch(pid: number, onExceeded: (why: string) => void): void;
  /** Why the kernel ended processes of the cell, if it did. */
  report(): Promise<string | undefined>;
  /** Ends every process of the cell. */
  end(): Promise<void>;
}

export interface WrapOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly groups?: "later";
}

export interface CellLimiterOptions {
  readonly clock: Clock;
  readonly groups: CellGroups;
  readonly limits: CellLimits;
  /** Folders on disk that count as the cell's. */
  readonly folders: readonly string[];
  /** Maximum number of files in the folders. Counting more would keep the disk busy too long. */
  readonly maxFiles: number;
}

export const MAX_CELL_FILES = 200_000;

/**
 * This script joins the control groups before it starts the program, so that all its processes are
 * in them. It joins the groups in parallel: the kernel delays the first join, but not further ones
 * that arrive during the delay. Its arguments: the groups' files, `--`, the largest file in blocks,
 * then the variables and the program. `$$` is the pid of this shell, also in its subshells.
 */
const LAUNCH = `
all=
while [ "$1" != -- ]; do { echo $$ >"$1"; } & all="$all $!"; shift; done
for each in $all; do wait "$each" || { echo "could not join a control group" >&2; exit 125; }; done
ulimit -c 0; ulimit -f "$2"
shift 2
exec env -i "$@"`;
/** The POSIX unit of file sizes. */
const BLOCK_SIZE = 512;
const POLL_INTERVAL_MS = 1000;
/** After a walk over the folders, the watch pauses this many times as long as the walk took. */
const PAUSE_PER_WALK = 20;

export const createCellLimiter = async (options: CellLimiterOptions): Promise<CellLimiter> => {
  const { clock, groups, limits, folders, maxFiles } = options;
  const group: CellGroup | undefined = await groups.open(limits);
  const holds = group?.holds ?? new Set<Wall>();
  const processFiles = group?.processFiles ?? [];
  const controller = new AbortController();

  const watchMemory = async (pid: number, onExceeded: (why: string) => void): Promise<void> => {
    while (!controller.signal.aborted) {
      if ((await residentBytes(await processTreeOf(pid))) > limits.memoryMiB * MiB)
        return onExceeded(`it used up its ${limits.memoryMiB} MiB of memory`);
      await clock.sleep(POLL_INTERVAL_MS, controller.signal);
    }
  };

  /** The processes of the cell: the tree of `pid`, and the members of its control group. */
  const processesOfCell = async (pid: number): Promise<readonly number[]> => [
    ...new Set([...(await processTreeOf(pid)), ...((await group?.members()) ?? [])]),
  ];

  /**
   * A cell that was over its limit when opened may still be read and cleaned up: `withCleanup` ends
   * it only when its use grows. The number of files is measured in bytes as well, `MIN_FILE_BYTES`
   * for each, because even an empty file takes space.
   */
  const watchDisk = async (pid: number, onExceeded: (why: string) => void): Promise<void> => {
    const freeAtStart = await freeOn(folders);
    const [usageAtStart, fileCountBytes] = [await measure(folders), await measureFiles(folders)];
    const diskBytes = limits.diskMiB * MiB;
    const maxBytes = addCleanupBytes(usageAtStart.bytes, diskBytes);
    const sizeSchedule = createWalkSchedule({
      clock,
      maxBytes,
      free: freeAtStart.bytes,
      bytes: usageAtStart.bytes,
    });
    const maxFileCountBytes = addCleanupBytes(fileCountBytes, Math.min(diskBytes, maxFiles * MIN_FILE_BYTES));
    const fileCountSchedule = createWalkSchedule({
      clock,
      maxBytes: maxFileCountBytes,
      free: freeAtStart.files,
      bytes: fileCountBytes,
    });
    while (!controller.signal.aborted) {
      const free = await freeOn(folders);
      const startedAt = clock.monotonic();
      if (sizeSchedule.isDue(free.bytes)) {
        const { bytes, unreadableFolders } = await measure(folders);
        const usedBytes = bytes + (await bytesOfDeletedOpenFiles(await processesOfCell(pid), folders));
        if (usedBytes > maxBytes) return onExceeded(`its files use more than its ${limits.diskMiB} MiB`);
        if (unreadableFolders > usageAtStart.unreadableFolders)
          return onExceeded("it made a folder unreadable, so the files of the folder cannot be measured");
        sizeSchedule.record(free.bytes, usedBytes);
      }
      if (fileCountSchedule.isDue(free.files)) {
        const bytes = await measureFiles(folders);
        if (bytes > maxFileCountBytes)
          return onExceeded(
            maxFileCountBytes < diskBytes
              ? `it has more than ${Math.floor(maxFileCountBytes / MIN_FILE_BYTES)} files`
              : `it has more files than fit in its ${limits.diskMiB} MiB`,
          );
        fileCountSchedule.record(free.files, bytes);
      }
      await clock.sleep((clock.monotonic() - startedAt) * PAUSE_PER_WALK, controller.signal);
      await clock.sleep(POLL_INTERVAL_MS, controller.signal);
    }
  };

  return {
    kernelEnforced: holds,
    wrap: (argv, { environment = {}, groups: groupMode } = {}) => [
      ...["/bin/sh", "-c", LAUNCH, "sh", ...(groupMode === "later" ? [] : processFiles), "--"],
      String((limits.fileMiB * MiB) / BLOCK_SIZE),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...argv,
    ],
    async join(pid) {
      try {
        // In parallel, for the reason given at `LAUNCH`.
        await Promise.all(processFiles.map((file) => writeFile(file, String(pid), { flag: "r+" })));
      } catch (cause) {
        throw new HearthError("cell.unavailable", "Could not put the cell into its control groups.", {
          hint: "Run: hearth doctor",
          cause,
        });
      }
    },
    watch(pid, onExceeded) {
      /** A cell whose use cannot be measured ends, because its limits could not be enforced. */
      const unmeasured =
        (limitName: string) =>
        (error: unknown): void => {
          if (controller.signal.aborted) return;
          onExceeded(
            `its ${limitName} could not be measured: ${error instanceof Error ? error.message : String(error)}`,
          );
        };
      if (!holds.has("memory")) watchMemory(pid, onExceeded).catch(unmeasured("memory"));
      watchDisk(pid, onExceeded).catch(unmeasured("files"));
    },
    report: async () => group?.report(),
    async end() {
      controller.abort();
      await group?.end();
    },
  };
};

const MiB = 1024 * 1024;
/** Space for what the inmate and a shell write before a command can delete files. */
const CLEANUP_BYTES = MiB;
/** The limit for a cell that already used `used` bytes when it was opened. */
const addCleanupBytes = (used: number, limit: number): number => (used > limit ? used + CLEANUP_BYTES : limit);
