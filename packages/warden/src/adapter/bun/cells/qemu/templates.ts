/**
 * Templates: machines that were booted once and saved while they waited to become a cell. Every
 * cell starts from a template and never writes to it. Templates are created on first use, and are
 * stored next to the image for all homes of a checkout.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BytePipe, type Clock, HearthError } from "@hearth/protocol";
import { createCpio } from "./cpio.ts";
import type { Image } from "./image.ts";
import { machineArguments, type Part, type MachineShape } from "./machine.ts";
import { isAsMarked, markFolder } from "./mark.ts";
import { bundlePrograms, type Programs } from "./programs.ts";
import { type RunningMachine, startMachine } from "./running.ts";
import type { Tools } from "./tools.ts";

/** Each shape has a separate template. */
export interface TemplateShape extends MachineShape {
  readonly diskMiB: number;
}

export interface Template {
  readonly files: Readonly<Record<Part, string>>;
  readonly state: string;
}

export interface Templates {
  /** Throws `cell.unavailable`. */
  get(shape: TemplateShape): Promise<Template>;
}

export interface TemplatesOptions {
  readonly folder: string;
  readonly image: Image;
  readonly tools: Tools;
  readonly clock: Clock;
}

const PREFIX = "template-";
/** Time limit from the start until both programs wait. Without KVM, on a busy machine, this takes most of a minute. */
const BOOT_TIMEOUT_MS = { kvm: 30_000, tcg: 300_000 } as const;
const SAVE_TIMEOUT_MS = 60_000;

export const createTemplates = (options: TemplatesOptions): Templates => {
  const { folder, image, tools, clock } = options;
  const pendingCreations = new Map<string, Promise<void>>();

  const make = async (name: string, shape: TemplateShape, programs: Programs): Promise<void> => {
    const draft = join(folder, `${name}.${process.pid}`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    try {
      await writeDraftFiles(draft, shape, options, programs);
      await boot(draft, shape, options);
      await markFolder(draft);
      await removeUnused(folder, name, clock);
      await rename(draft, join(folder, name)).catch(async (error: unknown) => {
        // Another process has created the same template meanwhile.
        if (!(await isAsMarked(join(folder, name)))) throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  };

  return {
    async get(shape) {
      const programs = await bundlePrograms();
      const name = nameOf(shape, image, tools, programs);
      const path = join(folder, name);
      if (!(await isAsMarked(path))) {
        const creation =
          pendingCreations.get(name) ??
          rm(path, { recursive: true, force: true }).then(() => make(name, shape, programs));
        pendingCreations.set(name, creation);
        await creation.finally(() => pendingCreations.delete(name));
      }
      const pathOf = (file: string): string => join(path, file);
      const now = new Date(clock.now());
      // Sets the time of the template to mark it as used. This fails for a template of another
      // user, which this user never removes.
      await utimes(path, now, now).catch(() => undefined);
      return {
        files: {
          kernel: pathOf("head"),
          root: image.root,
          initial: pathOf("initial"),
          disk: pathOf("disk"),
          memory: pathOf("memory"),
        },
        state: pathOf("state"),
      };
    },
  };
};

/** The name changes with every input, because a template of other inputs does not fit. */
const nameOf = (shape: TemplateShape, image: Image, tools: Tools, programs: Programs): string => {
  const { accelerator, memoryMiB, processors, diskMiB } = shape;
  const hash = createHash("sha256").update(image.key).update(tools.version);
  for (const bytes of Object.values(programs)) hash.update(bytes);
  for (const writes of ["kept", "own"] as const)
    hash.update(JSON.stringify(machineArguments({ shape: { ...shape, memoryMiB: 0 }, writes, console: undefined })));
  return `${PREFIX}${hash.digest("hex").slice(0, 16)}-${accelerator}-${memoryMiB}-${processors}-${diskMiB}`;
};

const writeDraftFiles = async (
  draft: string,
  shape: TemplateShape,
  options: TemplatesOptions,
  programs: Programs,
): Promise<void> => {
  const { image, tools } = options;
  const folders = ["bin", "cell", "dev", "image", "modules", "proc", "sys"];
  const files: Readonly<Record<string, Uint8Array>> = {
    init: programs.init,
    "bin/busybox": await readFile(image.busybox),
    ...Object.fromEntries(
      await Promise.all(
        image.modules.map(async (path) => [`modules/${basename(path)}`, await readFile(path)] as const),
      ),
    ),
    "cell/start": programs.start,
    "cell/keeper.js": programs.keeper,
    "cell/inmate.js": programs.inmate,
  };
  const archive = createCpio([
    ...folders.map((path) => ({ path })),
    ...Object.entries(files).map(([path, bytes]) => ({ path, bytes })),
  ]);
  await writeFile(join(draft, "initial"), archive);
  await writeFile(join(draft, "state"), "");
  await writeFile(join(draft, "head"), await headOf(image.kernel));
  const memory = await open(join(draft, "memory"), "w");
  await memory.truncate(shape.memoryMiB * 1024 * 1024);
  await memory.close();
  const disk = join(draft, "disk");
  const child = Bun.spawn(
    [
      tools.mke2fs,
      "-q",
      "-F",
      "-t",
      "ext4",
      "-O",
      "^has_journal",
      "-E",
      "nodiscard",
      // These blocks are reserved for the keeper, so that a full disk of a cell still has room for it.
      "-m",
      "2",
      disk,
      `${shape.diskMiB}M`,
    ],
    { env: {}, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  if ((await child.exited) !== 0)
    throw failedError(`its disk could not be made: ${(await new Response(child.stderr).text()).trim()}`);
};

/**
 * The kernel's setup code and a little more: QEMU reads the whole file, and a restored machine does
 * not need the rest.
 */
const headOf = async (kernel: string): Promise<Uint8Array> => Bun.file(kernel).slice(0, HEAD_SIZE).bytes();
const HEAD_SIZE = 64 * 1024;

const boot = async (draft: string, shape: TemplateShape, { image, tools, clock }: TemplatesOptions): Promise<void> => {
  const pathOf = (file: string): string => join(draft, file);
  const { diskMiB: _, ...machineShape } = shape;
  const machine = await startMachine({
    ...tools,
    files: {
      kernel: image.kernel,
      root: image.root,
      initial: pathOf("initial"),
      disk: pathOf("disk"),
      memory: pathOf("memory"),
    },
    shape: machineShape,
    writes: "kept",
    console: pathOf("console"),
    commandPrefix: [],
  });
  const bootTimeoutMs = BOOT_TIMEOUT_MS[shape.accelerator];
  try {
    const bothWait = Promise.all([waitForOutput(machine.link), waitForOutput(machine.keeper)]);
    const ended = machine.ended.then((why) => Promise.reject(failedError(why)));
    ended.catch(() => undefined);
    await Promise.race([
      bothWait,
      ended,
      afterMs(clock, bootTimeoutMs, `it did not boot within ${bootTimeoutMs / 1000} s`),
    ]);
    await Promise.race([
      saveState(machine, pathOf("state"), clock),
      ended,
      afterMs(clock, SAVE_TIMEOUT_MS, `it could not be saved within ${SAVE_TIMEOUT_MS / 1000} s`),
    ]);
  } catch (error) {
    const consoleText = await readFile(pathOf("console"), "utf8").catch(() => "");
    const lastLines = consoleText.trim().split("\n").slice(-3).join(" · ");
    throw failedError(
      `${error instanceof Error ? error.message : "it did not boot"}${lastLines === "" ? "" : ` (${lastLines})`}`,
    );
  } finally {
    machine.kill();
    await machine.ended;
    await rm(pathOf("console"), { force: true });
  }
  // QEMU may run as an unprivileged user, which must be able to open these files.
  for (const file of ["initial", "disk", "state"]) await chmod(pathOf(file), 0o644);
  await chmod(pathOf("memory"), process.getuid?.() === 0 ? 0o666 : 0o600);
};

const waitForOutput = async (pipe: BytePipe): Promise<void> => {
  for await (const _ of pipe.bytes) return;
  throw failedError("it said nothing");
};

const saveState = async ({ monitor }: RunningMachine, path: string, clock: Clock): Promise<void> => {
  await monitor.execute("migrate-set-capabilities", IGNORE_SHARED);
  await monitor.execute("migrate-set-parameters", { "max-bandwidth": 100_000_000_000 });
  await monitor.execute("migrate", { uri: `exec:cat >'${path.replaceAll("'", `'\\''`)}'` });
  for (;;) {
    const { status } = (await monitor.execute("query-migrate")) as { readonly status?: string };
    if (status === "completed") return;
    if (status === "failed" || status === "cancelled") throw failedError("it could not be saved");
    await clock.sleep(POLL_MS);
  }
};

const POLL_MS = 5;
/** The memory is already in its file. */
export const IGNORE_SHARED = { capabilities: [{ capability: "x-ignore-shared", state: true }] } as const;

const afterMs = async (clock: Clock, ms: number, why: string): Promise<never> => {
  await clock.sleep(ms);
  throw failedError(why);
};

/**
 * Daemons of different sources may share a folder, and a template in use must not be removed. An
 * unused template only takes space.
 */
const UNUSED_MS = 600_000;

/**
 * Removes templates of other sources, and drafts of dead processes. The same sources have one
 * template for each set of limits.
 */
const removeUnused = async (folder: string, name: string, clock: Clock): Promise<void> => {
  const samePrefix = name.slice(0, PREFIX.length + 16);
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(PREFIX)) continue;
    const path = join(folder, entry);
    const makerPid = /\.(\d+)$/.exec(entry)?.[1];
    const usedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, clock.now);
    const isUnused = clock.now() - usedAt > UNUSED_MS;
    const shouldRemove =
      makerPid === undefined ? !entry.startsWith(samePrefix) && isUnused : !existsSync(`/proc/${makerPid}`);
    if (shouldRemove) await rm(path, { recursive: true, force: true });
  }
};

const failedError = (why: string): HearthError =>
  new HearthError("cell.unavailable", `Could not create the machine of a cell: ${why}.`, {
    hint: "Run: hearth doctor",
  });
