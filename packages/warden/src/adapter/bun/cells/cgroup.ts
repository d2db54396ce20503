/**
 * Control groups, with which the kernel limits and counts a cell as a whole. Version 2 is used if
 * the house can create groups there, and otherwise version 1. If neither is available, `why` has
 * the reason.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CellLimits, type Clock, HearthError, type Wall } from "@hearth/protocol";

export type CountedWall = Extract<Wall, "memory" | "pids" | "cpu">;

/** The control group of one cell. */
export interface CellGroup {
  /**
   * Writing a process id to each of these files puts the process, and the processes that it starts
   * afterwards, into the group.
   */
  readonly processFiles: readonly string[];
  readonly holds: ReadonlySet<CountedWall>;
  /** The processes in the group, by their ids on the host. */
  members(): Promise<readonly number[]>;
  /** The limit that was reached, if any. */
  report(): Promise<string | undefined>;
  /** Ends all processes of the group, waits until none is left, and removes it. */
  end(): Promise<void>;
}

export interface CellGroups {
  /** Undefined without control groups. `only` restricts what the group counts. */
  open(limits: CellLimits, only?: readonly CountedWall[]): Promise<CellGroup | undefined>;
  readonly holds: ReadonlySet<CountedWall>;
  /** The missing requirement, and how to get it. */
  readonly why?: string;
}

export interface CellGroupsOptions {
  readonly clock: Clock;
  /**
   * The contents of `/proc/self/mountinfo` and `/proc/self/cgroup`. Default: those of this process.
   * Tests pass the contents of other machines, because they cannot mount control groups.
   */
  readonly mountinfo?: string;
  readonly own?: string;
  /**
   * The id of the house's process. Default: that of this process. Tests choose it, to know the names
   * of groups.
   */
  readonly pid?: number;
  /**
   * Returns hexadecimal digits, never the same twice, because two backends of one house share a
   * folder. Default: random digits. Tests choose them, for the same reason.
   */
  readonly newName?: () => string;
}

const COUNTED_WALLS: readonly CountedWall[] = ["memory", "pids", "cpu"];
const NONE: ReadonlySet<CountedWall> = new Set();
const REMEDY = "Start the house as a service of systemd with Delegate=yes, or as root.";
/** A group stays busy for a moment after its last process. */
const MAX_ATTEMPTS = 400;
const PAUSE_MS = 5;

/** Folders that hold one kind of group: all of version 2, or one controller of version 1. */
interface Hierarchy {
  readonly folder: string;
  readonly holds: readonly CountedWall[];
  readonly isVersion2: boolean;
}

export const createCellGroups = async (options: CellGroupsOptions): Promise<CellGroups> => {
  const { clock, pid = process.pid, newName = () => crypto.randomUUID().slice(-12) } = options;
  const mounts = parseMounts(options.mountinfo ?? (await read("/proc/self/mountinfo")));
  const ownHierarchies = parseOwn(options.own ?? (await read("/proc/self/cgroup")));
  const version2 = await findVersion2(mounts, ownHierarchies, pid);
  const hierarchies = version2 === undefined ? await findVersion1(mounts, ownHierarchies) : [version2];
  if (hierarchies.length === 0)
    return {
      open: async () => undefined,
      holds: NONE,
      why: `This machine does not allow new control groups. ${REMEDY}`,
    };
  await Promise.all(hierarchies.map((hierarchy) => removeAbandonedGroups(hierarchy.folder, clock)));
  return {
    holds: new Set(hierarchies.flatMap(({ holds }) => holds)),
    async open(limits, only = COUNTED_WALLS) {
      const wantedHierarchies = hierarchies.map((hierarchy) => ({
        ...hierarchy,
        holds: hierarchy.holds.filter((wall) => only.includes(wall)),
      }));
      const usedHierarchies = wantedHierarchies.filter(({ holds }) => holds.length > 0);
      if (usedHierarchies.length === 0) return undefined;
      return openGroup(usedHierarchies, `${PREFIX}${pid}-${newName()}`, limits, clock);
    },
  };
};

const PREFIX = "hearth-";

const openGroup = async (
  hierarchies: readonly Hierarchy[],
  name: string,
  limits: CellLimits,
  clock: Clock,
): Promise<CellGroup> => {
  const folders = hierarchies.map((hierarchy) => ({ ...hierarchy, folder: join(hierarchy.folder, name) }));
  try {
    for (const hierarchy of folders) await makeGroup(hierarchy, limits);
  } catch (error) {
    for (const { folder } of folders) await removeGroup(folder, clock);
    const why = error instanceof Error ? error.message : "unknown";
    throw new HearthError("cell.unavailable", `Cannot create the control group of the cell: ${why}`, {
      hint: "Run: hearth doctor",
      cause: error,
    });
  }
  const memory = folders.find(({ holds }) => holds.includes("memory"));
  const pids = folders.find(({ holds }) => holds.includes("pids"));
  return {
    processFiles: folders.map(({ folder }) => join(folder, "cgroup.procs")),
    holds: new Set(folders.flatMap(({ holds }) => holds)),

    members: async () => membersOf(folders[0]?.folder ?? ""),

    async report() {
      if (memory !== undefined) {
        const events = await read(join(memory.folder, memory.isVersion2 ? "memory.events" : "memory.oom_control"));
        if (Number(/^oom_kill (\d+)/m.exec(events)?.[1] ?? 0) > 0)
          return `it used up its ${limits.memoryMiB} MiB of memory`;
      }
      if (pids !== undefined) {
        const events = await read(join(pids.folder, "pids.events"));
        if (Number(/^max (\d+)/m.exec(events)?.[1] ?? 0) > 0) return `it used up its ${limits.processes} processes`;
      }
      return undefined;
    },

    async end() {
      for (const { folder } of folders) await removeGroup(folder, clock);
    },
  };
};

const makeGroup = async ({ folder, holds, isVersion2 }: Hierarchy, limits: CellLimits): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const [file, value] of settingsOf(limits, holds, isVersion2)) await writeFile(join(folder, file), value);
  // Swapped memory counts as used. A kernel without that counter has no such file.
  for (const [file, value] of swapSettingsOf(limits, holds, isVersion2))
    if (existsSync(join(folder, file))) await writeFile(join(folder, file), value);
};

const settingsOf = (
  limits: CellLimits,
  holds: readonly CountedWall[],
  isVersion2: boolean,
): readonly [string, string][] => {
  const allSettings: readonly [CountedWall, string, string][] = isVersion2
    ? [
        ["memory", "memory.max", String(bytes(limits))],
        ["pids", "pids.max", String(limits.processes)],
        ["cpu", "cpu.max", `${quota(limits)} ${CPU_PERIOD_US}`],
      ]
    : [
        ["memory", "memory.limit_in_bytes", String(bytes(limits))],
        ["pids", "pids.max", String(limits.processes)],
        ["cpu", "cpu.cfs_period_us", String(CPU_PERIOD_US)],
        ["cpu", "cpu.cfs_quota_us", String(quota(limits))],
      ];
  return allSettings.filter(([wall]) => holds.includes(wall)).map(([, file, value]) => [file, value]);
};

const swapSettingsOf = (
  limits: CellLimits,
  holds: readonly CountedWall[],
  isVersion2: boolean,
): readonly [string, string][] => {
  if (!holds.includes("memory")) return [];
  return isVersion2 ? [["memory.swap.max", "0"]] : [["memory.memsw.limit_in_bytes", String(bytes(limits))]];
};

const CPU_PERIOD_US = 100_000;
const bytes = ({ memoryMiB }: CellLimits): number => memoryMiB * 1024 * 1024;
const quota = ({ cpus }: CellLimits): number => Math.max(1000, Math.round(cpus * CPU_PERIOD_US));

/** Stops new processes first, then ends all of them. */
const removeGroup = async (folder: string, clock: Clock): Promise<void> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await writeExisting(join(folder, "cgroup.kill"), "1");
    await writeExisting(join(folder, "pids.max"), "0");
    const remainingPids = await membersOf(folder);
    for (const pid of remainingPids) kill(pid);
    if (remainingPids.length === 0) {
      const isRemoved = await rmdir(folder).then(
        () => true,
        (error: unknown) => isCode(error, "ENOENT"),
      );
      if (isRemoved) return;
    }
    await clock.sleep(PAUSE_MS);
  }
};

/** Removes groups of a house that was killed. */
const removeAbandonedGroups = async (folder: string, clock: Clock): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = /^hearth-(\d+)-[0-9a-f]+$/.exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    await removeGroup(join(folder, name), clock);
  }
};

interface Mount {
  /** The part of the file system that is mounted there. */
  readonly root: string;
  readonly mountPoint: string;
  readonly kind: string;
  readonly controllers: readonly string[];
}

/** `36 35 0:27 /root /mounted/at rw,… - cgroup2 source rw,controllers` */
const parseMounts = (text: string): readonly Mount[] =>
  text.split("\n").flatMap((line) => {
    const [mountPart, fileSystemPart] = line.split(" - ");
    const [, , , root, mountPoint] = mountPart?.split(" ") ?? [];
    const [kind, , options = ""] = fileSystemPart?.split(" ") ?? [];
    if (root === undefined || mountPoint === undefined || (kind !== "cgroup" && kind !== "cgroup2")) return [];
    return [{ root, mountPoint, kind, controllers: options.split(",") }];
  });

/** `8:pids:/path`, and `0::/path` for version 2. */
const parseOwn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return names === undefined || path === undefined ? [] : names.split(",").map((name) => [name, path] as const);
    }),
  );

/** Returns the folder of this process's group, as this process sees it. */
const ownFolder = ({ root, mountPoint }: Mount, path: string): string => {
  const relativePath = root !== "/" && path.startsWith(root) ? path.slice(root.length) : path;
  const folder = join(mountPoint, relativePath);
  return existsSync(folder) ? folder : mountPoint;
};

const findVersion2 = async (
  mounts: readonly Mount[],
  own: ReadonlyMap<string, string>,
  pid: number,
): Promise<Hierarchy | undefined> => {
  const mount = mounts.find(({ kind }) => kind === "cgroup2");
  const path = own.get("");
  if (mount === undefined || path === undefined) return undefined;
  const folder = ownFolder(mount, path);
  const controllers = (await read(join(folder, "cgroup.controllers"))).trim().split(" ");
  const holds = COUNTED_WALLS.filter((name) => controllers.includes(name));
  if (!holds.includes("memory") || !holds.includes("pids")) return undefined;
  const enabledControllers = holds.map((name) => `+${name}`).join(" ");
  const control = join(folder, "cgroup.subtree_control");
  if (!(await writeExisting(control, enabledControllers))) {
    // A group with controlled children may have no processes itself, so this process moves to a
    // child group if it is alone there.
    const members = await membersOf(folder);
    if (members.some((member) => member !== pid)) return undefined;
    const childFolder = join(folder, "hearth");
    if (
      !(await mkdir(childFolder, { recursive: true }).then(
        () => writeExisting(join(childFolder, "cgroup.procs"), String(pid)),
        toFalse,
      ))
    )
      return undefined;
    if (!(await writeExisting(control, enabledControllers))) return undefined;
  }
  return { folder, holds, isVersion2: true };
};

/** Version 1 has a hierarchy for each controller. */
const findVersion1 = async (
  mounts: readonly Mount[],
  own: ReadonlyMap<string, string>,
): Promise<readonly Hierarchy[]> => {
  const hierarchies: Hierarchy[] = [];
  for (const name of COUNTED_WALLS) {
    const mount = mounts.find(({ kind, controllers }) => kind === "cgroup" && controllers.includes(name));
    const path = own.get(name);
    if (mount === undefined || path === undefined) continue;
    const folder = ownFolder(mount, path);
    const trial = join(folder, `${PREFIX}trial-${crypto.randomUUID()}`);
    const canCreate = await mkdir(trial).then(() => rmdir(trial).then(() => true), toFalse);
    if (canCreate) hierarchies.push({ folder, holds: [name], isVersion2: false });
  }
  return hierarchies;
};

const membersOf = async (folder: string): Promise<readonly number[]> =>
  (await read(join(folder, "cgroup.procs"))).split("\n").map(Number).filter(Boolean);

const toFalse = (): false => false;

const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

/** Writes to an existing file, and never creates a file. Returns whether the write succeeded. */
const writeExisting = (path: string, text: string): Promise<boolean> =>
  writeFile(path, text, { flag: "r+" }).then(() => true, toFalse);

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
};

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
