/**
 * The `qemu` backend: a separate virtual machine for each cell, with its own kernel and no network
 * device. It starts copy-on-write from a template that was booted before. Uses KVM if a machine
 * boots with it, otherwise emulation: slow, with the same isolation.
 */
import { access, constants, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AgentId,
  type CellLimits,
  type Clock,
  createByteLink,
  lazy,
  DEFAULT_CELL_LIMITS,
  HearthError,
  type Wall,
  walls,
  type WardenFrame,
  isHearthError,
} from "@hearth/protocol";
import { type Cell, type CellBackend, type CellSpec, NO_WALLS, type Probe } from "../../../../cells/backend.ts";
import type { Log } from "../../../../kernel/log/log.ts";
import { type CellGroups, createCellGroups } from "../cgroup.ts";
import { runCleanup } from "../cleanup.ts";
import { createCellLink } from "./cell-link.ts";
import { findImage, BUILD_FOLDER } from "./image.ts";
import { createPeriodicSync } from "./periodic-sync.ts";
import { beginMachine, type WorkspaceKeeper } from "./keeper.ts";
import { createWorkspaceSync, requireFit } from "./workspace-sync.ts";
import { chooseAccelerator, createKvmFailures, findKvm } from "./kvm.ts";
import { type Accelerator, type MachineShape, STATE_FD } from "./machine.ts";
import { type RunningMachine, startMachine } from "./running.ts";
import { openShare } from "./share.ts";
import { withWorkspace } from "../workspace.ts";
import { createTemplates, IGNORE_SHARED, type Template } from "./templates.ts";
import { findTools, type Tools } from "./tools.ts";
import { GO, SEED_LENGTH } from "./wire.ts";

export interface QemuBackendOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: (length: number) => Uint8Array;
  /** The folder of the image and the templates. Default: the build folder of the checkout. */
  readonly folder?: string;
  /** The folder for templates when `folder` is not writable. */
  readonly fallbackFolder?: string;
  /** The control groups of cells. The default is those of this machine. */
  readonly groups?: () => Promise<CellGroups>;
}

/** Time limit for QEMU to start and become a cell, and then for copying the brain in. It suffices on a busy machine. */
const OPEN_TIMEOUT_MS = 60_000;
/** Maximum wait from the end of a machine's pipes until its exit is known. It suffices on a busy machine. */
const MAX_EXIT_WAIT_MS = 500;

export const createQemuBackend = (options: QemuBackendOptions): CellBackend => {
  const { clock, log, random, folder = BUILD_FOLDER, fallbackFolder = folder } = options;
  const groups = lazy(options.groups ?? (() => createCellGroups({ clock })));

  const setUp = lazy(async () => {
    const tools = await findTools();
    const image = await findImage(folder);
    if (image === undefined) throw unavailableError(NO_IMAGE);
    const templateFolder = (await isWritable(folder)) ? folder : fallbackFolder;
    const templates = createTemplates({ folder: templateFolder, image, tools, clock });
    const accelerator = await chooseAccelerator({
      hasKvm: (await findKvm(isRoot() ? FIRST_CELL_UID : undefined)) !== undefined,
      boot: async (accelerator) => {
        await templates.get({ ...toShape(DEFAULT_CELL_LIMITS, accelerator), diskMiB: DEFAULT_CELL_LIMITS.diskMiB });
      },
      failures: createKvmFailures({
        folder: templateFolder,
        version: tools.version,
        bootId: await readBootId(),
        clock,
      }),
    });
    return { tools, templates, accelerator };
  });

  const open = (spec: CellSpec): Promise<Cell> =>
    withWorkspace(spec.workspace, ({ at }) => openWith({ ...spec, workspace: at }));

  const openWith = async (spec: CellSpec): Promise<Cell> => {
    const { tools, templates, accelerator } = await setUp();
    const shape = toShape(spec.limits, accelerator);
    const template = await templates.get({ ...shape, diskMiB: spec.limits.diskMiB });
    const share = await openShare(spec.limits, groups);
    const release = () => runCleanup(log, [{ name: "remove the control group", run: () => share.end() }]);
    const machine = await restore(template, { shape, tools, random, commandPrefix: share.prefix }).catch(
      async (error) => {
        await release();
        throw error;
      },
    );
    const keeper = await startCell(machine, spec, options).catch(async (error) => {
      await release();
      throw error;
    });
    const workspaceSync = createWorkspaceSync({ keeper, spec, clock });
    let isClosing = false;
    let failureReason: string | undefined;
    /**
     * Ends the cell and reports the first reason. When the machine has ended, its exit is the
     * reason.
     */
    const fail = (operation: string) => async (error: unknown) => {
      if (isHearthError(error, "cell.lost")) await waitForExit(machine, clock);
      failureReason ??= `${operation}: ${error instanceof Error ? error.message : "unknown"}`;
      machine.kill();
    };
    const copyBack = (): Promise<void> =>
      workspaceSync.copyBack().catch(fail("its workspace could not be copied back"));
    const steps = createPeriodicSync(clock, copyBack);
    const machineLink = createByteLink<WardenFrame>(machine.link, "warden");
    const link = createCellLink({
      link: machineLink,
      copyIn: () => withTimeout(workspaceSync.copyIn(), clock).catch(fail("its brain could not be copied in")),
      copyBrainIn: () => workspaceSync.copyBrainIn().catch(fail("its brain could not be copied in")),
      copyBack,
      onRunningSteps: steps.setRunningSteps,
    });
    const exited = machine.ended.then(async (exitReason) => {
      steps.setRunningSteps(0);
      machineLink.close();
      keeper.close();
      await release();
      return failureReason ?? (isClosing ? undefined : exitReason);
    });
    const sendGo = async (): Promise<void> => machine.link.write(GO);
    sendGo().catch(fail("the start signal could not be sent"));
    return {
      link,
      pid: machine.pid,
      walls: share.isEnforced ? ALL_WALLS : ALL_BUT_CPU,
      exited,
      async close() {
        if (!isClosing) {
          isClosing = true;
          // A background command may have written files.
          if (steps.hasRunStep()) await Promise.race([copyBack(), exited]);
        }
        machine.kill();
        await exited;
      },
    };
  };

  return {
    kind: "qemu",
    traits: { isolation: "vm", snapshots: true },
    open,
    async probe(): Promise<Probe> {
      try {
        const { accelerator } = await setUp();
        await runTrialCell(open, clock);
        const slowWarning =
          "no machine boots with KVM here, so the processor is emulated: computing takes 25 to 40 times as long";
        return { ok: true, walls: ALL_WALLS, ...(accelerator === "tcg" ? { why: slowWarning } : {}) };
      } catch (error) {
        return { ok: false, why: error instanceof Error ? error.message : "it does not boot", walls: NO_WALLS };
      }
    },
  };
};

const NO_IMAGE =
  "the machine's image is missing. Run: sh scripts/build-rootfs.sh. It downloads about 75 MB of Debian packages, takes about a minute, and uses 500 MB of disk";

/** A machine enforces all limits itself, except a share of less than one processor. */
const ALL_WALLS: ReadonlySet<Wall> = new Set(walls);
const ALL_BUT_CPU: ReadonlySet<Wall> = new Set(walls.filter((wall) => wall !== "cpu"));

const toShape = (limits: CellLimits, accelerator: Accelerator): MachineShape => ({
  accelerator,
  memoryMiB: limits.memoryMiB,
  processors: Math.max(1, Math.floor(limits.cpus)),
});

/** Linux changes the id at each start. */
const readBootId = async (): Promise<string> => (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();

const isRoot = (): boolean => process.getuid?.() === 0;

/** The first user id of cells. No system assigns users ids from this number on. */
const FIRST_CELL_UID = 0x70000000;

/** Turns the machine into a cell, with the present time and its own random seed. */
const startCell = async (
  machine: RunningMachine,
  spec: CellSpec,
  { clock, random }: QemuBackendOptions,
): Promise<WorkspaceKeeper> => {
  const seed = random(SEED_LENGTH);
  const { processes, fileMiB } = spec.limits;
  const ended = machine.ended.then((why) => Promise.reject(new Error(why)));
  try {
    const beginning = beginMachine(machine.keeper, { at: clock.now(), seed, processes, fileMiB });
    // Its pipes end before the process does, and the process's exit explains more.
    const [keeper] = await Promise.all([
      withTimeout(Promise.race([beginning.catch(() => ended), ended]), clock),
      // Runs while the machine starts, which takes longer.
      requireFit(spec),
    ]);
    return keeper;
  } catch (cause) {
    machine.kill();
    await machine.ended;
    throw unavailableError(cause instanceof Error ? cause.message : "it did not start", cause);
  }
};

/** Resolves like `work`, and throws at the deadline. */
const withTimeout = async <Value>(work: Promise<Value>, clock: Clock): Promise<Value> => {
  const controller = new AbortController();
  const timeout = clock
    .sleep(OPEN_TIMEOUT_MS, controller.signal)
    .then(() => Promise.reject(new Error(`it was not ready within ${OPEN_TIMEOUT_MS / 1000} s`)));
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timeout.catch(() => undefined);
    controller.abort();
  }
};

interface RestoreOptions {
  readonly shape: MachineShape;
  readonly tools: Tools;
  readonly random: (length: number) => Uint8Array;
  readonly commandPrefix: readonly string[];
}

/**
 * Continues from the template, as a different user for each cell if the daemon may choose users.
 */
const restore = async (
  { files, state }: Template,
  { shape, tools, random, commandPrefix }: RestoreOptions,
): Promise<RunningMachine> => {
  const id = FIRST_CELL_UID + Buffer.from(random(3)).readUIntBE(0, 3);
  const machine = await startMachine({
    ...tools,
    files,
    state,
    shape,
    commandPrefix,
    writes: "own",
    console: undefined,
    ...(isRoot() ? { user: { id, groups: (await findKvm(id))?.groups ?? [] } } : {}),
  });
  const { monitor } = machine;
  try {
    const capabilitiesSet = monitor.execute("migrate-set-capabilities", IGNORE_SHARED);
    await Promise.all([capabilitiesSet, monitor.execute("migrate-incoming", { uri: `fd:${STATE_FD}` })]);
    return machine;
  } catch (cause) {
    machine.kill();
    throw unavailableError(`the machine could not be restored: ${await machine.ended}`, cause);
  }
};

/** Time limit of a trial cell from its start to its first frame. */
const TRIAL_TIMEOUT_MS = 60_000;

/** Opens a trial cell and waits for its hello. */
const runTrialCell = async (open: CellBackend["open"], clock: Clock): Promise<void> => {
  const brain = await realpath(await mkdtemp(join(tmpdir(), "hearth-trial-")));
  const workspace = join(brain, "workspace");
  const controller = new AbortController();
  try {
    await mkdir(workspace);
    const agent = AgentId.parse(`agent_${"0".repeat(26)}`);
    const cell = await open({ agent, audience: "private", brain, hidden: [], workspace, limits: DEFAULT_CELL_LIMITS });
    const firstFrame = cell.link.frames[Symbol.asyncIterator]().next();
    const timeout = clock.sleep(TRIAL_TIMEOUT_MS, controller.signal).then(() => undefined);
    const firstResult = await Promise.race([firstFrame, timeout]);
    await cell.close();
    if (firstResult?.done !== false) throw unavailableError((await cell.exited) ?? "its inmate sent no hello in time");
  } finally {
    controller.abort();
    await rm(brain, { recursive: true, force: true });
  }
};

const waitForExit = async ({ ended }: RunningMachine, clock: Clock): Promise<void> => {
  const controller = new AbortController();
  await Promise.race([ended, clock.sleep(MAX_EXIT_WAIT_MS, controller.signal)]);
  controller.abort();
};

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

const unavailableError = (message: string, cause?: unknown): HearthError =>
  new HearthError("cell.unavailable", message, { hint: "Run: hearth doctor", cause });
