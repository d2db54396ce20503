/** A backup whose process ends at any operation never claims to be complete, and harms no other. */
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHomes, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { findBackup, listBackups, manifestPath, objectPath } from "./backup-folder.ts";
import { createBackup } from "./create.ts";
import { createInterruptedDisk, type InterruptedDisk } from "./interrupted-disk.ts";
import { interruptBackups } from "./interruptions.ts";
import { contentsOf } from "./manifest.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

/** Keeps one backup, so that a complete one removes its predecessor. */
const backUp = ({ home, backups }: Sandbox, disk: InterruptedDisk) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, keep: 1, disk });
/** `npm run test:long` ends a backup at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 12 : 1;

const whole = (): InterruptedDisk => createInterruptedDisk(Infinity, "done");

test("a backup that ends at any operation is complete or not listed, and one complete backup is always left", async () => {
  using box = await homes.copy();
  await interruptBackups(box, EVERY);
}, 300_000);

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
