/** Restores of a backup: contents, refusals, damage, interruption, and the hold at the first start. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHomes, failure, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { RESTORED, RESTORING } from "../home.ts";
import { findBackup, manifestPath, objectPath } from "./backup-folder.ts";
import { createBackup } from "./create.ts";
import { createInterruptedDisk } from "./interrupted-disk.ts";
import { interruptRestores, isWhole } from "./interruptions.ts";
import { contentsOf, type Manifest } from "./manifest.ts";
import { type RestoreOptions, restoreBackup } from "./restore.ts";
import { readRestored } from "./restored.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

/** A home with one backup. */
const open = async (): Promise<Sandbox & { readonly target: string; readonly manifest: Manifest }> => {
  const box = await homes.copy();
  const workspace = join(box.home, "brains/main/workspace");
  mkdirSync(join(workspace, "empty"), { recursive: true });
  symlinkSync("/etc", join(workspace, "etc"));
  writeFileSync(join(workspace, "run.sh"), "true\n", { mode: 0o755 });
  await createBackup({ home: box.home, to: box.backups, version: "test", now: Date.now });
  return { ...box, target: join(box.folder, "restored"), manifest: await findBackup(box.backups, undefined) };
};
const restore = ({ backups, target }: Awaited<ReturnType<typeof open>>, more: Partial<RestoreOptions> = {}) =>
  restoreBackup({ home: target, from: backups, ...more });

/** `npm run test:long` ends a restore at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 12 : 1;

describe("a restore", () => {
  test("brings back every file with its mode and time, and marks the home", async () => {
    using box = await open();
    expect(await restore(box)).toMatchObject({ kind: "restored", number: 1, house: "home", home: box.target });
    expect(isWhole(box.target, box.manifest)).toBe(true);
    const workspace = join(box.target, "brains/main/workspace");
    expect(readdirSync(workspace)).toEqual(expect.arrayContaining(["empty", "etc", "run.sh"]));
    for (const name of ["run.sh", "../SOUL.md"]) {
      const [first, second] = [
        statSync(join(workspace, name)),
        statSync(join(box.home, "brains/main/workspace", name)),
      ];
      expect([first.mode, Math.trunc(first.mtimeMs)]).toEqual([second.mode, Math.trunc(second.mtimeMs)]);
    }
    expect(statSync(box.target).mode & 0o777).toBe(0o700);
    expect([existsSync(join(box.target, RESTORED)), existsSync(join(box.target, RESTORING))]).toEqual([true, false]);
    const { id, detail } = readRestored(join(box.target, RESTORED));
    expect(detail).toContain(`backup 1 in ${box.backups}`);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("takes the newest complete backup, or the one that is named", async () => {
    using box = await open();
    writeFileSync(join(box.home, "brains/main/SOUL.md"), "second\n");
    await createBackup({ home: box.home, to: box.backups, version: "test", now: Date.now });
    writeFileSync(manifestPath(box.backups, 3), "no manifest");
    expect(await restore(box)).toMatchObject({ number: 2 });
    const other = join(box.folder, "other");
    expect(await restore(box, { home: other, number: 1 })).toMatchObject({ number: 1 });
    expect(isWhole(other, box.manifest)).toBe(true);
    expect(await failure(restore(box, { home: other, number: 2 }))).toMatchObject({ code: "home.foreign" });
    const third = restore(box, { home: join(box.folder, "third"), number: 3 });
    expect(await failure(third)).toMatchObject({ code: "backup.damaged" });
    const none = restore(box, { home: join(box.folder, "third"), number: 9 });
    expect(await failure(none)).toMatchObject({ code: "backup.not-found" });
  });

  test("from a folder that does not exist is reported before anything about the home", async () => {
    using box = await open();
    const nowhere = restore(box, { home: box.home, from: join(box.folder, "nowhere") });
    expect(await failure(nowhere)).toMatchObject({
      code: "backup.not-found",
      message: `There is no folder ${join(box.folder, "nowhere")}.`,
    });
  });

  test("into a folder with anything in it, or a used home, is refused, and changes nothing", async () => {
    using box = await open();
    mkdirSync(box.target);
    writeFileSync(join(box.target, "thesis.txt"), "mine");
    expect(await failure(restore(box))).toMatchObject({ code: "home.foreign" });
    expect(readdirSync(box.target)).toEqual(["thesis.txt"]);
    const before = readdirSync(box.home);
    expect(await failure(restore(box, { home: box.home }))).toMatchObject({ code: "home.foreign" });
    expect(readdirSync(box.home)).toEqual(before);
  });

  test("into an empty folder works", async () => {
    using box = await open();
    mkdirSync(box.target);
    expect(await restore(box)).toMatchObject({ kind: "restored" });
  });

  test("of a backup with a damaged or missing file names the file and writes nothing", async () => {
    using box = await open();
    for (const { path, hash } of contentsOf(box.manifest))
      for (const damage of ["changed", "removed"]) {
        const object = objectPath(box.backups, hash);
        const bytes = readFileSync(object);
        if (damage === "removed") rmSync(object);
        else writeFileSync(object, Buffer.concat([bytes, Buffer.from("x")]));
        const named = await restore(box, { number: 1 }).catch((error: unknown) => error);
        expect({ path, damage, text: JSON.stringify(named) + String(named) }).toEqual({
          path,
          damage,
          text: expect.stringContaining(path),
        });
        expect(existsSync(box.target)).toBe(false);
        writeFileSync(object, bytes);
      }
  });
});

describe("an interrupted restore", () => {
  test("at any operation leaves no home that starts, and can be run again", async () => {
    using box = await open();
    await interruptRestores(box, EVERY);
  }, 300_000);

  test("is not run again over files of others", async () => {
    using box = await open();
    await failure(restore(box, { disk: createInterruptedDisk(8, "done") }));
    writeFileSync(join(box.target, "thesis.txt"), "mine");
    expect(await failure(restore(box))).toMatchObject({ code: "home.foreign" });
    expect(readFileSync(join(box.target, "thesis.txt"), "utf8")).toBe("mine");
  });

  test("is no home to back up", async () => {
    using box = await open();
    writeFileSync(join(box.home, RESTORING), "{}");
    const made = createBackup({ home: box.home, to: box.backups, version: "test", now: Date.now });
    expect(await failure(made)).toMatchObject({ code: "home.foreign" });
  });
});

test("a damaged mark of a restore still holds the house", async () => {
  using box = await open();
  writeFileSync(join(box.home, RESTORED), "damaged");
  expect(readRestored(join(box.home, RESTORED))).toEqual({
    id: new Bun.CryptoHasher("sha256").update("damaged").digest("hex"),
    detail: "The home was restored from a backup.",
  });
});
