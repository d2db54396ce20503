/** A backup whose process ends at any operation never claims to be complete, and harms no other. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHomes, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { findBackup, listBackups, manifestPath, objectPath } from "./backup-folder.ts";
import { createBackup } from "./create.ts";
import { createInterruptedDisk, Interrupted, type InterruptedDisk } from "./interrupted-disk.ts";
import { contentsOf } from "./manifest.ts";
import { findDamage, verifyBackup } from "./verify.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

/** Keeps one backup, so that a complete one removes its predecessor. */
const backUp = ({ home, backups }: Sandbox, disk: InterruptedDisk) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, keep: 1, disk });
const whole = (): InterruptedDisk => createInterruptedDisk(Infinity, "done");

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

test("a backup that ends at any operation is complete or not listed, and one complete backup is always left", async () => {
  using box = await homes.copy();
  await backUp(box, whole());
  for (let at = 0; ; at += 1) {
    writeFileSync(join(box.home, "brains/main/NOTE.md"), `${at}`);
    const disk = createInterruptedDisk(at, "done");
    const ended = await backUp(box, disk).catch((error: unknown) => error);
    if (!(ended instanceof Interrupted)) break;
    await requireWhole(box, `done: ${disk.operations[at]}`);
    if (!disk.endsInWrite()) continue;
    await backUp(box, createInterruptedDisk(at, "half done")).catch(() => undefined);
    await requireWhole(box, `half done: ${disk.operations[at]}`);
  }
  await backUp(box, whole());
  const [last, ...more] = await listBackups(box.backups);
  expect([last?.state, more]).toEqual(["complete", []]);
  const manifest = await findBackup(box.backups, undefined);
  expect((await verifyBackup(box.backups, manifest)).ok).toBe(true);
  // Nothing that an interrupted backup left remains.
  const entries = readdirSync(join(box.backups, "objects"), { recursive: true, withFileTypes: true });
  const hashes = new Set(contentsOf(manifest).map(({ hash }) => hash));
  expect(entries.filter((entry) => entry.isFile()).length).toBe(hashes.size);
  expect(readdirSync(join(box.backups, "drafts"))).toEqual([]);
}, 60_000);

test("the first backup that ends before its manifest is in place is no backup", async () => {
  using box = await homes.copy();
  const disk = whole();
  await backUp(box, disk);
  const sealed = disk.operations.findIndex((what) => what.endsWith(` ${manifestPath(box.backups, 1)}`));
  for (const [extent, count] of [
    ["half done", 0],
    ["done", 1],
  ] as const) {
    rmSync(box.backups, { recursive: true });
    await backUp(box, createInterruptedDisk(sealed, extent)).catch(() => undefined);
    expect((await listBackups(box.backups)).length).toBe(count);
  }
});

test("every name and every byte is durable before the manifest is in place", async () => {
  using box = await homes.copy();
  const disk = whole();
  await backUp(box, disk);
  const manifest = await findBackup(box.backups, undefined);
  const sealed = disk.operations.findIndex((what) => what.endsWith(` ${manifestPath(box.backups, 1)}`));
  for (const { hash } of contentsOf(manifest)) {
    const object = objectPath(box.backups, hash);
    const named = disk.operations.findIndex((what) => what.startsWith("rename ") && what.endsWith(` ${object}`));
    const synced = disk.operations.lastIndexOf(`syncFolder ${dirname(object)}`, sealed);
    const shards = disk.operations.lastIndexOf(`syncFolder ${join(box.backups, "objects")}`, sealed);
    expect(named).toBeGreaterThan(-1);
    expect([synced > named, shards > named]).toEqual([true, true]);
  }
  expect(disk.operations.lastIndexOf(`syncFolder ${box.backups}`)).toBeGreaterThan(sealed);
});
