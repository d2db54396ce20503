/** Ends backups and restores at one operation after another, for tests, and checks what is left. */
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

/** Keeps one backup, so that a complete one removes its predecessor. */
const backUp = ({ home, backups }: Sandbox, disk: InterruptedDisk) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, keep: 1, disk });

/** Every listed backup is whole, and there is at least one. */
const requireWhole = async ({ backups }: Sandbox, where: string): Promise<void> => {
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

/** Ends a backup at every `every`th operation. */
export const interruptBackups = async (box: Sandbox, every: number): Promise<void> => {
  await backUp(box, createInterruptedDisk(Infinity, "done"));
  for (let at = 0; ; at += every) {
    writeFileSync(join(box.home, "brains/main/NOTE.md"), `${at}`);
    const disk = createInterruptedDisk(at, "done");
    const ended = await backUp(box, disk).catch((error: unknown) => error);
    if (!(ended instanceof Interrupted)) break;
    await requireWhole(box, `done: ${disk.operations[at]}`);
    if (!disk.endsInWrite()) continue;
    await backUp(box, createInterruptedDisk(at, "half done")).catch(() => undefined);
    await requireWhole(box, `half done: ${disk.operations[at]}`);
  }
  await backUp(box, createInterruptedDisk(Infinity, "done"));
  const [last, ...more] = await listBackups(box.backups);
  expect([last?.state, more]).toEqual(["complete", []]);
  const manifest = await findBackup(box.backups, undefined);
  expect((await verifyBackup(box.backups, manifest)).ok).toBe(true);
  // Nothing that an interrupted backup left remains.
  const entries = readdirSync(join(box.backups, "objects"), { recursive: true, withFileTypes: true });
  const hashes = new Set(contentsOf(manifest).map(({ hash }) => hash));
  expect(entries.filter((entry) => entry.isFile()).length).toBe(hashes.size);
  expect(readdirSync(join(box.backups, "drafts"))).toEqual([]);
};

/** Ends a restore of the newest backup at every `every`th operation. */
export const interruptRestores = async ({ backups, folder }: Sandbox, every: number): Promise<void> => {
  const manifest = await findBackup(backups, undefined);
  const home = join(folder, "restored");
  await interruptFills({
    home,
    every,
    fill: (disk) => restoreBackup({ home, from: backups, disk }),
    isWhole: () => isWhole(home, manifest),
  });
};

/** Ends a restore or an import into `home` at every `every`th operation. */
export const interruptFills = async (options: {
  readonly home: string;
  readonly every: number;
  fill(disk: InterruptedDisk): Promise<unknown>;
  isWhole(home: string): boolean | Promise<boolean>;
}): Promise<void> => {
  const { home, every, fill } = options;
  let isOver = false;
  for (let at = 0; !isOver; at += every)
    for (const extent of ["done", "half done"] as const) {
      const disk = createInterruptedDisk(at, extent);
      const ended = await fill(disk).catch((error: unknown) => error);
      const where = `${extent}: ${disk.operations[at]}`;
      isOver ||= !(ended instanceof Interrupted);
      const starts = startsIn(home);
      // A home that starts has every file.
      expect({ where, isSafe: !starts || (await options.isWhole(home)) }).toEqual({ where, isSafe: true });
      if (!starts) await fill(createInterruptedDisk(Infinity, "done"));
      expect({ where, isWhole: await options.isWhole(home) }).toEqual({ where, isWhole: true });
      expect({ where, isMarked: existsSync(join(home, RESTORED)) }).toEqual({ where, isMarked: true });
      rmSync(home, { recursive: true });
      if (isOver || !disk.endsInWrite()) break;
    }
};

/** Whether a house would start in this folder with these files. */
const startsIn = (home: string): boolean => {
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
