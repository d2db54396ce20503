/**
 * The `bubblewrap` backend: an inmate in separate namespaces with a private view of the file
 * system, a seccomp filter and limits. Files that it must not see are not mounted and so cannot be
 * reached.
 */
import { closeSync, existsSync, lstatSync, openSync, readlinkSync, statSync, unlinkSync, writeSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Clock, lazy, HearthError, type Wall } from "@hearth/protocol";
import { CELL_WORKSPACE, type CellBackend, type CellSpec, NO_WALLS, type Probe } from "../../../cells/backend.ts";
import { createSeccompFilter } from "../../../cells/seccomp.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { environment } from "../env.ts";
import { bubblewrapArguments, CELL_ETC, CELL_INMATE, CELL_RUNTIME, COVERED_IN_PROC } from "./bubblewrap-arguments.ts";
import { type CellGroups, createCellGroups } from "./cgroup.ts";
import { runCleanup } from "./cleanup.ts";
import type { InmateProgram } from "./inmate-program.ts";
import { type InmateCell, startInmate } from "./inmate-process.ts";
import { endFirstInside, isFirstInside, readFirstInside, identityInside } from "./first-inside.ts";
import { type CellLimiter, createCellLimiter, MAX_CELL_FILES } from "./limits.ts";
import { inReapedGroup, releaseReaper, reap } from "./reaper.ts";
import { machineHere, runTrial } from "./trial.ts";
import { workspaceMovedError, type HeldWorkspace, withWorkspace } from "./workspace.ts";

export interface BubblewrapOptions {
  readonly program: InmateProgram;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute path of a folder of the house for prepared files. */
  readonly folder: string;
  /** The control groups of cells. The default is those of this machine. */
  readonly groups?: () => Promise<CellGroups>;
}

/** The walls of the namespaces, the view and the filter, which hold wherever they work. */
const BASE_WALLS: readonly Wall[] = ["fs", "net", "kernel"];
/**
 * The inmate's process id inside. Process 1 is bubblewrap's own, which the kernel protects from all
 * processes inside.
 */
const INMATE_PID = 2;
const inmateCommand = (main: string, { program }: CellSpec): readonly string[] => [
  ...[CELL_RUNTIME, "--no-install", "--no-env-file", "--smol", `${CELL_INMATE}/${basename(main)}`],
  ...(program === "document" ? ["document"] : [CELL_WORKSPACE, "/tmp"]),
];
/** A script that succeeds if the walls hold that are most likely to be missing. */
const TRIAL = `
grep -q '^Seccomp:.2$' /proc/self/status && grep -q '^NoNewPrivs:.1$' /proc/self/status &&
[ "$(tr -d '\\0' </proc/1/environ)" = '' ] && ${CELL_RUNTIME} --version >/dev/null`;

export const createBubblewrapBackend = (options: BubblewrapOptions): CellBackend => {
  const { program, clock, log } = options;
  const groups = lazy(options.groups ?? (() => createCellGroups({ clock })));
  const filter = lazy(() => makeFilter(options.folder));
  const etc = lazy(() => makeEtc(options.folder));
  const canName = lazy(trySetHostname);

  const wallsHere = async (): Promise<ReadonlySet<Wall>> =>
    new Set([...BASE_WALLS, ...pidsWallHere(), ...(await groups()).holds]);

  const open = (spec: CellSpec, command: readonly string[]): Promise<InmateCell> =>
    withWorkspace(spec.workspace, (workspace) => openWith(workspace, spec, command));

  const openWith = async (
    { at, identity }: HeldWorkspace,
    spec: CellSpec,
    command: readonly string[],
  ): Promise<InmateCell> => {
    using files = new DisposableStack();
    const adopt = (descriptor: number): number => files.adopt(descriptor, closeSync);
    const seccomp = adopt(openSync(await filter(), "r"));
    const view = {
      runtime: process.execPath,
      inmate: dirname(await program()),
      brain: spec.brain,
      workspace: spec.workspace,
      hidden: await prepareBrain(spec),
      etc: await etc(),
      rootLinks: rootLinks(),
      covers: coversHere(),
      hostname: (await canName()) ? "cell" : undefined,
      temporaryBytes: temporaryBytes(spec),
      sharedBytes: temporaryBytes(spec) / 8,
      seccomp: 3,
      info: 5,
      block: 6,
      tether: 7,
    };
    // Passed in a file, because processes inside can read the command line.
    const argumentTexts = bubblewrapArguments(view).map((argument) => `${argument}\0`);
    const argumentFile = adopt(openScratch(options.folder, argumentTexts.join("")));
    const descriptors = [seccomp, argumentFile, "pipe", "pipe"] as const;
    const guard = await createCellLimiter({
      clock,
      groups: await groups(),
      limits: spec.limits,
      folders: [at],
      maxFiles: MAX_CELL_FILES,
    });
    const releaseSteps = [{ name: "remove the control group", run: () => guard.end() }];
    try {
      const argv = [bubblewrap(), "--args", "4", "--", ...limitPids(guard.kernelEnforced, spec), ...command];
      const tether = (): number => cell.pipe(view.tether);
      const cell: InmateCell = startInmate({
        clock,
        log,
        argv: inReapedGroup(guard.wrap(argv, { groups: "later" }), descriptors.length),
        env: { PATH: "/usr/bin:/bin" },
        cwd: "/",
        files: [...descriptors, "pipe"],
        walls: await wallsHere(),
        cleanup: [
          { name: "end bubblewrap's helpers", run: () => reap(tether()) },
          {
            name: "end what is left of its commands",
            async run() {
              const pid = await firstProcess;
              if (pid !== undefined) await endFirstInside(pid, clock);
            },
          },
          { name: "read the limits that were reached", run: () => guard.report() },
          ...releaseSteps,
        ],
      });
      const firstProcess = admitFirstProcess(cell, guard, {
        info: cell.pipe(view.info),
        block: cell.pipe(view.block),
        tether: tether(),
        async check(pid) {
          // Bubblewrap uses names, which may have been redirected meanwhile. The view no longer
          // changes, and no process runs in it yet.
          if ((await identityInside(pid, CELL_WORKSPACE, clock)) !== identity)
            throw workspaceMovedError(spec.workspace);
        },
      });
      guard.watch(cell.pid, cell.kill);
      return cell;
    } catch (error) {
      await runCleanup(log, releaseSteps);
      throw error;
    }
  };

  return {
    kind: "bubblewrap",
    traits: { isolation: "container", snapshots: false },
    async probe(): Promise<Probe> {
      if (process.platform !== "linux") return failedProbe("bubblewrap is for Linux");
      if (findBubblewrap() === null) return failedProbe("bubblewrap is not installed. Run: apt-get install bubblewrap");
      const why = await runTrial(clock, (spec) => open(spec, ["/bin/sh", "-c", TRIAL]));
      if (why !== undefined) return failedProbe(`${why}. ${NAMESPACES_HINT}`);
      const groupsProblem = (await groups()).why;
      return { ok: true, walls: await wallsHere(), ...(groupsProblem === undefined ? {} : { why: groupsProblem }) };
    },
    open: async (spec) => open(spec, inmateCommand(await program(), spec)),
  };
};

const NAMESPACES_HINT =
  "Bubblewrap needs user namespaces: see sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone";

const failedProbe = (why: string): Probe => ({ ok: false, why, walls: NO_WALLS });

const findBubblewrap = (): string | null => Bun.which("bwrap", { PATH: environment("PATH") ?? "/usr/bin:/bin" });

const bubblewrap = (): string => {
  const path = findBubblewrap();
  if (path !== null) return path;
  throw new HearthError("cell.unavailable", "bubblewrap is not installed.", {
    hint: "Run: apt-get install bubblewrap",
  });
};

/**
 * Whether a process in new namespaces may set its host name. The system call filter of a container
 * refuses this even there.
 */
const trySetHostname = async (): Promise<boolean> => {
  const trialArguments = [
    ...["--unshare-user", "--unshare-uts", "--hostname", "cell", "--ro-bind", "/", "/"],
    ...["/bin/sh", "-c", ":"],
  ];
  const child = Bun.spawn([bubblewrap(), ...trialArguments], { env: {}, stdio: ["ignore", "ignore", "ignore"] });
  return (await child.exited) === 0;
};

/**
 * Returns the wall `pids` if the kernel counts the processes in a separate user namespace. It does
 * not count those of root.
 */
const pidsWallHere = (): readonly Wall[] => (process.getuid?.() === 0 ? [] : ["pids"]);

/**
 * Returns the command that limits the processes if no control group counts them. Shells have two
 * names for this limit.
 */
const limitPids = (enforcedWalls: ReadonlySet<Wall>, { limits }: CellSpec): readonly string[] =>
  enforcedWalls.has("pids")
    ? []
    : [
        ...["/bin/sh", "-c"],
        '(ulimit -p "$1") 2>/dev/null && ulimit -p "$1" || ulimit -u "$1"; shift; exec "$@"',
        ...["sh", String(limits.processes)],
      ];

/** Returns the limit of temporary files, which use memory, too. */
const temporaryBytes = ({ limits }: CellSpec): number => Math.min(limits.diskMiB, limits.memoryMiB / 2) * 1024 * 1024;

/**
 * Creates missing names, so that the workspace has a mount point and hidden names are covered when
 * they appear.
 */
const prepareBrain = ({ brain, hidden }: CellSpec) => {
  const prepare = async (name: string) => {
    const path = join(brain, name);
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
    return { name, folder: lstatSync(path).isDirectory() };
  };
  return prepare(basename(CELL_WORKSPACE)).then(() => Promise.all(hidden.map(prepare)));
};

/** `/bin` and similar names are links on most machines. */
const rootLinks = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["bin", "sbin", "lib", "lib32", "lib64", "libx32"].flatMap((name) => {
      const stats = lstatSync(`/${name}`, { throwIfNoEntry: false });
      return stats?.isSymbolicLink() === true ? [[name, readlinkSync(`/${name}`)]] : [];
    }),
  );

const coversHere = () =>
  COVERED_IN_PROC.flatMap((name) => {
    const stats = statSync(`/proc/${name}`, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path: `/proc/${name}`, folder: stats.isDirectory() }];
  });

const makeFilter = async (folder: string): Promise<string> => {
  const path = join(folder, "bubblewrap.seccomp");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, createSeccompFilter({ machine: machineHere(), world: "own", inmate: INMATE_PID }), {
    mode: 0o600,
  });
  return path;
};

const makeEtc = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  await mkdir(join(folder, "etc"), { recursive: true, mode: 0o700 });
  const writes = Object.entries(CELL_ETC).map(async ([name, text]) => {
    const path = join(folder, "etc", name);
    await writeFile(path, text, { mode: 0o644 });
    return [name, path] as const;
  });
  return Object.fromEntries(await Promise.all(writes));
};

/** A file without a name: it is deleted with its last descriptor. */
const openScratch = (folder: string, text: string): number => {
  const path = join(folder, `cell-${crypto.randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  // Written at offset 0 without moving the position, so that a reader starts at the beginning.
  writeSync(descriptor, text, 0);
  return descriptor;
};

interface Entrance {
  /** The house's ends of three pipes. */
  readonly info: number;
  readonly block: number;
  readonly tether: number;
  /** Checks the view of the process. Throws when the cell must not start. */
  readonly check: (pid: number) => Promise<void>;
}

/**
 * Returns the id of the first process inside, once everything it starts will be in the cell's
 * groups. The kernel takes time to move a process there, while bubblewrap builds the view.
 * Undefined when there is no such process.
 */
const admitFirstProcess = async (
  cell: InmateCell,
  guard: CellLimiter,
  { info, block, tether, check }: Entrance,
): Promise<number | undefined> => {
  const pid = await readFirstInside(info);
  if (pid === undefined) return undefined;
  try {
    await guard.join(pid);
    await check(pid);
    writeSync(block, "\n");
    // The process has passed the point where it waits for bubblewrap only.
    releaseReaper(tether);
  } catch (error) {
    // If the process has ended meanwhile, its own end is the better reason.
    if (isFirstInside(pid)) cell.kill(error instanceof Error ? error.message : "it could not be let in");
  }
  return pid;
};
