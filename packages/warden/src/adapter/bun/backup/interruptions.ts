/** Interrupts backups and restores at one operation after another, for tests, and checks the files that remain. */
import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../../fixtures/home-on-disk.ts";
import { openHome, RESTORED } from "../home.ts";
import { findBackup, listBackups } from "./backup-folder.ts";
import { createBackup } from "./create.ts";
import { createInterruptedDisk, Interrupted, type InterruptedDisk } from "./interrupted-disk.ts";
import { contentsOf, type Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";
import { findDamage, verifyBackup } from "./verify.ts";

/** Creates a backup and keeps only the newest, so that a complete backup removes its predecessor. */
const backUp = ({ home, backups }: Sandbox, disk: InterruptedDisk) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, keep: 1, disk });

/** Expects at least one listed backup, and all of them to be complete and undamaged. */
const expectWholeBackups = async ({ backups }: Sandbox, where: string): Promise<void> => {
  const listed = await listBackups(backups);
  const damage = [];
  for (const { manifest } of listed) damage.push(manifest === undefined ? [] : await findDamage(backups, manifest));
  expect({ where, states: listed.map(({ state }) => state), damage, isEmpty: listed.length === 0 }).toEqual({
    where,
    states: listed.map(() => "complete"),
    damage: listed.map(() => []),
    isEmpty: false,
  });
};

/** Interrupts a backup at the first operation, and at every `stepSize`th operation after it. */
export const interruptBackups = async (box: Sandbox, stepSize: number): Promise<void> => {
  await backUp(box, createInterruptedDisk(Infinity, "done"));
  for (let operationIndex = 0; ; operationIndex += stepSize) {
    writeFileSync(join(box.home, "brains/main/NOTE.md"), `${operationIndex}`);
    const disk = createInterruptedDisk(operationIndex, "done");
    const outcome = await backUp(box, disk).catch((error: unknown) => error);
    if (!(outcome instanceof Interrupted)) break;
    await expectWholeBackups(box, `done: ${disk.operations[operationIndex]}`);
    if (!disk.endsInWrite()) continue;
    await backUp(box, createInterruptedDisk(operationIndex, "half done")).catch(() => undefined);
    await expectWholeBackups(box, `half done: ${disk.operations[operationIndex]}`);
  }
  await backUp(box, createInterruptedDisk(Infinity, "done"));
  const [newestBackup, ...otherBackups] = await listBackups(box.backups);
  expect([newestBackup?.state, otherBackups]).toEqual(["complete", []]);
  const manifest = await findBackup(box.backups, undefined);
  expect((await verifyBackup(box.backups, manifest)).ok).toBe(true);
  // The complete backup removed all files of the interrupted one.
  const entries = readdirSync(join(box.backups, "objects"), { recursive: true, withFileTypes: true });
  const hashes = new Set(contentsOf(manifest).map(({ hash }) => hash));
  expect(entries.filter((entry) => entry.isFile()).length).toBe(hashes.size);
  expect(readdirSync(join(box.backups, "drafts"))).toEqual([]);
};

/** Interrupts a restore of the newest backup at every `stepSize`th operation. */
export const interruptRestores = async ({ backups, folder }: Sandbox, stepSize: number): Promise<void> => {
  const manifest = await findBackup(backups, undefined);
  const home = join(folder, "restored");
  await interruptFills({
    home,
    stepSize,
    fill: (disk) => restoreBackup({ home, from: backups, disk }),
    isWhole: () => isWhole(home, manifest),
  });
};

/** Interrupts a restore or an import into `home` at every `stepSize`th operation. */
export const interruptFills = async (options: {
  readonly home: string;
  readonly stepSize: number;
  fill(disk: InterruptedDisk): Promise<unknown>;
  isWhole(home: string): boolean | Promise<boolean>;
}): Promise<void> => {
  const { home, stepSize, fill } = options;
  let isOver = false;
  for (let operationIndex = 0; !isOver; operationIndex += stepSize)
    for (const extent of ["done", "half done"] as const) {
      const disk = createInterruptedDisk(operationIndex, extent);
      const outcome = await fill(disk).catch((error: unknown) => error);
      const where = `${extent}: ${disk.operations[operationIndex]}`;
      isOver ||= !(outcome instanceof Interrupted);
      const canStart = canStartIn(home);
      // A home that starts has every file.
      expect({ where, isSafe: !canStart || (await options.isWhole(home)) }).toEqual({ where, isSafe: true });
      if (!canStart) await fill(createInterruptedDisk(Infinity, "done"));
      expect({ where, isWhole: await options.isWhole(home) }).toEqual({ where, isWhole: true });
      expect({ where, isMarked: existsSync(join(home, RESTORED)) }).toEqual({ where, isMarked: true });
      rmSync(home, { recursive: true });
      if (isOver || !disk.endsInWrite()) break;
    }
};

/** Whether a house would start in this folder with these files. */
const canStartIn = (home: string): boolean => {
  if (!existsSync(join(home, "hearth.db"))) return false;
  try {
    openHome(home).release();
    return true;
  } catch {
    return false;
  }
};

/** Whether the home is exactly the backup. */
export const isWhole = (home: string, manifest: Manifest): boolean =>
  contentsOf(manifest).every(({ path, hash }) => {
    const file = join(home, path);
    return existsSync(file) && new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex") === hash;
  });
