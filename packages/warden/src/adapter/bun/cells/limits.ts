/**
 * What a cell may use up, held: by a control group where there is one, by the limits that every process has, and by a look now and then
 * at what no kernel counts for us. Whoever passes a limit that is only looked at ends with its cell, and is told why.
 */
import { writeFile } from "node:fs/promises";
import { type CellLimits, type Clock, HearthError, type Wall } from "@hearth/protocol";
import type { CellGroup, CellGroups } from "./cgroup.ts";
import { freeOn, measure, measureFiles, namelessBytes, processesBelow, residentBytes } from "./usage.ts";
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
      if ((await residentBytes(await processesBelow(pid))) > limits.memoryMiB * MiB)
        return tell(`it used up its ${limits.memoryMiB} MiB of memory`);
      await clock.sleep(LOOK_MS, over.signal);
    }
  };

  /** Whoever is in the group is there whatever its parent is. */
  const members = async (pid: number): Promise<readonly number[]> => [
    ...new Set([...(await processesBelow(pid)), ...((await group?.members()) ?? [])]),
  ];

  /** One that was over its limit when it was opened may still be read and cleared out: only what grows is ended. */
  const watchDisk = async (pid: number, tell: (why: string) => void): Promise<void> => {
    const seen = await freeOn(folders);
    const [before, files] = [await measure(folders), await measureFiles(folders)];
    const most = Math.max(limits.diskMiB * MiB, before.bytes, files);
    const walks = createWalks({ clock, most, free: seen.bytes, bytes: before.bytes });
    const counts = createWalks({ clock, most, free: seen.files, bytes: files });
    while (!over.signal.aborted) {
      const free = await freeOn(folders);
      const startedAt = clock.monotonic();
      if (walks.isDue(free.bytes)) {
        const { bytes, closed } = await measure(folders);
        const all = bytes + (await namelessBytes(await members(pid), folders));
        if (all > most) return tell(`its files hold more than its ${limits.diskMiB} MiB`);
        if (closed > before.closed) return tell("it closed a folder to whoever counts its files");
        walks.made(free.bytes, all);
      }
      if (counts.isDue(free.files)) {
        const bytes = await measureFiles(folders);
        if (bytes > most) return tell(`its files are more than its ${limits.diskMiB} MiB have room for`);
        counts.made(free.files, bytes);
      }
      await clock.sleep((clock.monotonic() - startedAt) * WALK_SHARE, over.signal);
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
      /** A cell whose use cannot be measured ends: its limits would not hold. */
      const unmeasured =
        (what: string) =>
        (error: unknown): void => {
          if (over.signal.aborted) return;
          tell(`its ${what} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
        };
      if (!holds.has("memory")) watchMemory(pid, tell).catch(unmeasured("memory"));
      watchDisk(pid, tell).catch(unmeasured("files"));
    },
    report: async () => group?.report(),
    async end() {
      over.abort();
      await group?.end();
    },
  };
};

const MiB = 1024 * 1024;
