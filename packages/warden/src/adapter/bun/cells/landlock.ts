/**
 * The `landlock` backend: an inmate among the host's processes that may read its view, write its
 * workspace, and create no sockets. It is for machines without user namespaces. It hides no names:
 * other files cannot be opened, but their existence is visible.
 */
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, lazy, type Wall } from "@hearth/protocol";
import { type CellBackend, type CellSpec, NO_WALLS, type Probe } from "../../../cells/backend.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { VISIBLE_IN_ETC } from "./bubblewrap-arguments.ts";
import { type CellGroups, createCellGroups } from "./cgroup.ts";
import { removeFolderStep, runCleanup } from "./cleanup.ts";
import type { InmateProgram } from "./inmate-program.ts";
import { type InmateCell, startInmate } from "./inmate-process.ts";
import type { LandlockRequest } from "./landlock-launcher.ts";
import { createCellLimiter, MAX_CELL_FILES } from "./limits.ts";
import { reap } from "./reaper.ts";
import { machineHere, runTrial } from "./trial.ts";
import { type HeldWorkspace, withWorkspace } from "./workspace.ts";

export interface LandlockOptions {
  readonly program: InmateProgram;
  readonly clock: Clock;
  readonly log: Log;
  /** The control groups of cells. The default is those of this machine. */
  readonly groups?: () => Promise<CellGroups>;
}

/** The command to run, given a folder for temporary files. */
type Command = (temporary: string) => Promise<readonly string[]>;

/** The walls of the launcher, which hold wherever it works. */
const BASE_WALLS: readonly Wall[] = ["fs", "net", "kernel"];
/** The first descriptor after the standard streams. */
const TETHER_FD = 3;
const LAUNCHER = fileURLToPath(new URL("landlock-launcher.ts", import.meta.url));
const BUN = [process.execPath, "--no-install", "--no-env-file", "--smol"];
const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LANG: "C.UTF-8",
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
};
/** Succeeds when the rules hold. The launcher reports other missing parts itself. */
const TRIAL = '! ls / >/dev/null 2>&1 && ! cat /etc/passwd >/dev/null 2>&1 && exec "$0" --version >/dev/null';
const NAMES_VISIBLE_NOTE =
  "Commands have no network; names of files outside are visible, and replaced files of the brain appear only in the next cell";

export const createLandlockBackend = (options: LandlockOptions): CellBackend => {
  const { program, clock, log } = options;
  const groups = lazy(options.groups ?? (() => createCellGroups({ clock })));

  const currentWalls = async (): Promise<ReadonlySet<Wall>> => new Set([...BASE_WALLS, ...(await groups()).holds]);

  const open = (spec: CellSpec, command: Command): Promise<InmateCell> =>
    withWorkspace(spec.workspace, (workspace) => startCell(workspace, spec, command));

  const startCell = async ({ at, identity }: HeldWorkspace, spec: CellSpec, command: Command): Promise<InmateCell> => {
    const [shownPaths, cwd] = [await visiblePaths(spec), dirname(await program())];
    const temporaryFolder = await mkdtemp(join(tmpdir(), "hearth-temporary-"));
    const request: LandlockRequest = {
      read: [...READABLE_PATHS, process.execPath, cwd, ...shownPaths],
      write: [temporaryFolder, ...DEVICES],
      workspace: { path: spec.workspace, identity },
      machine: machineHere(),
      tether: TETHER_FD,
      argv: await command(temporaryFolder),
    };
    const limiter = await createCellLimiter({
      clock,
      groups: await groups(),
      limits: spec.limits,
      folders: [at, temporaryFolder],
      maxFiles: MAX_CELL_FILES,
    });
    const releaseSteps = [
      { name: "remove the control group", run: () => limiter.end() },
      removeFolderStep(temporaryFolder),
    ];
    try {
      const cell: InmateCell = startInmate({
        clock,
        log,
        argv: limiter.wrap([...BUN, LAUNCHER, JSON.stringify(request)], {
          environment: { ...ENVIRONMENT, TMPDIR: temporaryFolder },
        }),
        env: { PATH: "/usr/bin:/bin" },
        cwd,
        files: ["pipe"],
        walls: await currentWalls(),
        cleanup: [
          { name: "read the limits that were reached", run: () => limiter.report() },
          { name: "end what is left of its commands", run: () => reap(cell.pipe(TETHER_FD)) },
          ...releaseSteps,
        ],
      });
      limiter.watch(cell.pid, cell.kill);
      return cell;
    } catch (error) {
      await runCleanup(log, releaseSteps);
      throw error;
    }
  };

  return {
    kind: "landlock",
    traits: { isolation: "process", snapshots: false },
    async probe(): Promise<Probe> {
      if (process.platform !== "linux") return failedProbe("Landlock is part of Linux");
      const why = await runTrial(clock, (spec) => open(spec, async () => ["/bin/sh", "-c", TRIAL, process.execPath]));
      if (why !== undefined) return failedProbe(`${why}. Landlock 6 is part of Linux 6.12 and later`);
      const groupsProblem = (await groups()).why;
      return {
        ok: true,
        walls: await currentWalls(),
        why: [NAMES_VISIBLE_NOTE, groupsProblem].filter(Boolean).join(". "),
      };
    },
    open: (spec) =>
      open(spec, async (temporary) => [
        ...[...BUN, await program()],
        ...(spec.program === "document" ? ["document"] : [spec.workspace, temporary]),
      ]),
  };
};

const failedProbe = (why: string): Probe => ({ ok: false, why, walls: NO_WALLS });

/** Programs, and the few kernel files with which they query the machine. None of these files concerns a process. */
const READABLE_PATHS = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", ...VISIBLE_IN_ETC],
  // `/proc/self` is the entry of the launcher, whose process becomes the inmate.
  ...["/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/filesystems", "/proc/sys/vm/overcommit_memory"],
  ...["/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible"],
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/**
 * Lists the names one by one: a rule for a folder covers everything below it, so hidden names
 * prevent a rule for the brain itself.
 */
const visiblePaths = async ({ brain, hidden, workspace }: CellSpec): Promise<readonly string[]> => {
  const names = await readdir(brain);
  return names
    .filter((name) => !hidden.includes(name))
    .map((name) => join(brain, name))
    .filter((path) => !workspace.startsWith(`${path}/`) && path !== workspace);
};
