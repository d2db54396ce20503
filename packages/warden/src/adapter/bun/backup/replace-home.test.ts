/** Replaces a home by a backup, also when it is interrupted at any operation. */
import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHomes, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { openHome, REPLACED, REPLACEMENT, RESTORED } from "../home.ts";
import { findBackup, objectPath } from "./backup-folder.ts";
import { createBackup } from "./create.ts";
import { createInterruptedDisk, Interrupted } from "./interrupted-disk.ts";
import { isWhole } from "./interruptions.ts";
import { contentsOf, type Manifest } from "./manifest.ts";
import { acceptReplacement, completeReplacement, prepareReplacement } from "./replace-home.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

const NOTE = "brains/main/NOTE.md";

/** A home whose contents have changed since its backup. */
const open = async (): Promise<Sandbox & { readonly manifest: Manifest }> => {
  const box = await homes.copy();
  writeFileSync(join(box.home, NOTE), "before\n");
  await createBackup({ home: box.home, to: box.backups, version: "test", now: Date.now });
  writeFileSync(join(box.home, NOTE), "after\n");
  mkdirSync(join(box.home, "logs"), { recursive: true });
  writeFileSync(join(box.home, "logs/hearth.log"), "the log\n");
  return { ...box, manifest: await findBackup(box.backups, undefined) };
};

const prepare = async ({ home, backups }: Sandbox): Promise<void> => {
  expect(await prepareReplacement({ home, from: backups })).toMatchObject({ kind: "restored", number: 1 });
  await acceptReplacement(home);
};

const requireReplaced = ({ home, manifest }: Awaited<ReturnType<typeof open>>, where: string): void => {
  const read = (path: string): string => readFileSync(join(home, path), "utf8");
  expect({
    where,
    isWhole: isWhole(home, manifest),
    isMarked: existsSync(join(home, RESTORED)),
    isOver: !existsSync(join(home, REPLACEMENT)),
    log: read("logs/hearth.log"),
    old: read(`${REPLACED}/${NOTE}`),
    hasOldDatabase: existsSync(join(home, REPLACED, "hearth.db")),
  }).toEqual({
    where,
    isWhole: true,
    isMarked: true,
    isOver: true,
    log: "the log\n",
    old: "after\n",
    hasOldDatabase: true,
  });
};

describe("the replacement of a home", () => {
  test("restores beside the home, which changes at the next start only, and keeps the old contents and the logs", async () => {
    using box = await open();
    await prepare(box);
    expect(readFileSync(join(box.home, NOTE), "utf8")).toBe("after\n");
    openHome(box.home).release();
    expect(await completeReplacement(box.home)).toBe(join(box.home, REPLACED));
    requireReplaced(box, "at once");
    openHome(box.home).release();
    expect(await completeReplacement(box.home)).toBeUndefined();
    requireReplaced(box, "a second start");
  });

  test("is completed by a later start if it is interrupted at any operation", async () => {
    using box = await open();
    await prepare(box);
    const prepared = join(box.folder, "prepared");
    cpSync(box.home, prepared, { recursive: true });
    let isOver = false;
    for (let at = 0; !isOver; at += 1) {
      const disk = createInterruptedDisk(at, "done");
      const ended = await completeReplacement(box.home, disk).catch((error: unknown) => error);
      isOver = !(ended instanceof Interrupted);
      // The next start opens the home first.
      openHome(box.home).release();
      await completeReplacement(box.home);
      requireReplaced(box, String(disk.operations[at]));
      rmSync(box.home, { recursive: true });
      cpSync(prepared, box.home, { recursive: true });
    }
  });

  test("a restore that was not accepted changes nothing, and a start removes what it left", async () => {
    using box = await open();
    await prepareReplacement({ home: box.home, from: box.backups });
    expect(await completeReplacement(box.home)).toBeUndefined();
    expect(readFileSync(join(box.home, NOTE), "utf8")).toBe("after\n");
    expect(existsSync(join(box.home, REPLACEMENT))).toBe(false);
  });

  test("a damaged backup is named and never accepted", async () => {
    using box = await open();
    const file = contentsOf(box.manifest).find(({ path }) => path === NOTE);
    writeFileSync(objectPath(box.backups, file?.hash ?? ""), "damaged");
    expect(await prepareReplacement({ home: box.home, from: box.backups })).toMatchObject({ kind: "damaged" });
    await expect(acceptReplacement(box.home)).rejects.toThrow();
  });

  test("only the contents before the last restore are kept, and no backup contains them", async () => {
    using box = await open();
    await prepare(box);
    await completeReplacement(box.home);
    writeFileSync(join(box.home, NOTE), "after\n");
    writeFileSync(join(box.home, REPLACED, "stale"), "");
    await prepare(box);
    await completeReplacement(box.home);
    requireReplaced(box, "the second restore");
    expect(existsSync(join(box.home, REPLACED, "stale"))).toBe(false);
    await createBackup({ home: box.home, to: box.backups, version: "test", now: Date.now });
    const paths = contentsOf(await findBackup(box.backups, 2)).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith(REPLACED))).toEqual([]);
    expect(readdirSync(box.home)).toContain(REPLACED);
  });
});
