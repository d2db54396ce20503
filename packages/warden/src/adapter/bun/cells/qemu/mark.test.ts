import { afterAll, beforeEach, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import {
  closeSync,
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
import { OUR_FOLDER } from "./image.ts";
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

/** Turns one bit, and puts the times back that anybody can put back. */
const tamper = (path: string, at: number): void => {
  const { atime, mtime } = statSync(path);
  const file = openSync(path, "r+");
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, new Uint8Array([(byte[0] ?? 0) ^ 1]), 0, 1, at);
  closeSync(file);
  utimesSync(path, atime, mtime);
};

test("what is as it was kept is known as that, however often it is read", async () => {
  for (const name of parts) readFileSync(join(folder, name));
  expect(await isAsMarked(folder)).toBe(true);
});

test.each(parts)("a bit of %s that was changed is seen, also when its times were put back", async (name) => {
  tamper(join(folder, name), 3);
  expect(await isAsMarked(folder)).toBe(false);
});

test("a part that was put in the place of another is seen, and one that is gone", async () => {
  rmSync(join(folder, "state"));
  expect(await isAsMarked(folder)).toBe(false);
  writeFileSync(join(folder, "state"), "state as it was kept");
  expect(await isAsMarked(folder)).toBe(false);
});

const machines = mkdtempSync(join(tmpdir(), "hearth-machines-"));
afterAll(() => rmSync(machines, { recursive: true }));
symlinkSync(join(OUR_FOLDER, "image"), join(machines, "image"));
const lastUsed = (name: string): number => statSync(join(machines, name)).mtimeMs;
const { memoryMiB, cpus, diskMiB } = DEFAULT_CELL_LIMITS;
/** How the names end of those that a cell with the usual limits starts from. */
const KIND = `-${memoryMiB}-${cpus}-${diskMiB}`;
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const clock = createBunClock();
const { ok, why } = await createQemuBackend({ clock, log: createFakeLog(), random }).probe();

/** Those that were kept for this checkout, in a folder of our own: booting one more would prove nothing. */
const copyMachines = async (): Promise<void> => {
  for (const name of readdirSync(OUR_FOLDER).filter((each) => /^template-[^.]+$/.test(each) && each.endsWith(KIND))) {
    await Bun.$`cp -a --sparse=always ${join(OUR_FOLDER, name)} ${machines}`;
    await markFolder(join(machines, name));
  }
};

if (!ok) test.skip(`qemu: ${why}`, () => {});
else
  test("a machine whose kept memory was changed is made anew before a cell starts from it", async () => {
    await copyMachines();
    const backend = createQemuBackend({ clock, log: createFakeLog(), random, folder: machines });
    expect((await backend.probe()).ok).toBe(true);
    const [name = ""] = readdirSync(machines)
      .filter((each) => each.startsWith("template-"))
      .toSorted((one, other) => lastUsed(other) - lastUsed(one));
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
