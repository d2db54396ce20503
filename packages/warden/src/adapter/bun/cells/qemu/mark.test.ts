import { afterAll, beforeEach, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCellBrain } from "../../../../fixtures/cell-brain.ts";
import { createCellShell } from "../../../../fixtures/cell-shell.ts";
import { BUILD_FOLDER } from "./image.ts";
import { isAsMarked, markFolder } from "./mark.ts";
import { createQemuBackend } from "./qemu.ts";
import { createFakeLog } from "../../../../kernel/log/log.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-mark-"));
afterAll(() => rmSync(folder, { recursive: true }));

const parts = ["initial", "disk", "memory", "state"];

beforeEach(async () => {
  for (const name of parts) writeFileSync(join(folder, name), `${name} as it was kept`);
  await markFolder(folder);
});

/** Flips one bit and restores the times that a program can set. */
const tamper = (path: string, at: number): void => {
  const { atime, mtime } = statSync(path);
  const file = openSync(path, "r+");
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, new Uint8Array([(byte[0] ?? 0) ^ 1]), 0, 1, at);
  closeSync(file);
  utimesSync(path, atime, mtime);
};

test("unchanged files match their mark, however often they are read", async () => {
  for (const name of parts) readFileSync(join(folder, name));
  expect(await isAsMarked(folder)).toBe(true);
});

test.each(parts)("a flipped bit of %s is detected, even with restored times", async (name) => {
  tamper(join(folder, name), 3);
  expect(await isAsMarked(folder)).toBe(false);
});

test("a replaced part and a missing part are detected", async () => {
  rmSync(join(folder, "state"));
  expect(await isAsMarked(folder)).toBe(false);
  writeFileSync(join(folder, "state"), "state as it was kept");
  expect(await isAsMarked(folder)).toBe(false);
});

const machines = mkdtempSync(join(tmpdir(), "hearth-machines-"));
afterAll(() => rmSync(machines, { recursive: true }));
symlinkSync(join(BUILD_FOLDER, "image"), join(machines, "image"));
const lastUsed = (name: string): number => statSync(join(machines, name)).mtimeMs;
const { memoryMiB, cpus, diskMiB } = DEFAULT_CELL_LIMITS;
/** The name suffix of templates with the usual limits. */
const KIND = `-${memoryMiB}-${cpus}-${diskMiB}`;
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const clock = createBunClock();
const { ok, why } = await createQemuBackend({ clock, log: createFakeLog(), random }).probe();

/**
 * Copies this checkout's templates into a private folder, because booting another one would prove
 * nothing.
 */
const copyMachines = async (): Promise<void> => {
  // Without the record of a failure, the backend would first try KVM for half a minute.
  const failure = join(BUILD_FOLDER, "kvm-failure");
  if (existsSync(failure)) copyFileSync(failure, join(machines, "kvm-failure"));
  for (const name of readdirSync(BUILD_FOLDER).filter((each) => /^template-[^.]+$/.test(each) && each.endsWith(KIND))) {
    await Bun.$`cp -a --sparse=always ${join(BUILD_FOLDER, name)} ${machines}`;
    await markFolder(join(machines, name));
  }
};

if (!ok) test.skip(`qemu: ${why}`, () => {});
else
  test("a template with changed memory is rebuilt before a cell starts from it", async () => {
    await copyMachines();
    const backend = createQemuBackend({ clock, log: createFakeLog(), random, folder: machines });
    expect((await backend.probe()).ok).toBe(true);
    const [name = ""] = readdirSync(machines)
      .filter((each) => each.startsWith("template-"))
      .toSorted((a, b) => lastUsed(b) - lastUsed(a));
    const memory = join(machines, name, "memory");
    const [before, at] = [statSync(memory), 64 * 1024 * 1024];
    tamper(memory, at);
    using home = createCellBrain();
    const cell = await backend.open(home.spec);
    expect(statSync(memory).ino === before.ino && statSync(memory).ctimeMs === before.ctimeMs).toBe(false);
    expect(await isAsMarked(join(machines, name))).toBe(true);
    expect((await (await createCellShell(cell, home.spec.agent)).run("echo well")).text).toBe("well");
    await cell.close();
  }, 300_000);
