/** Backups as one file: contents, refusals, damage and interruption. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { createHomes, failure, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { createArchive, isArchive, unpackArchive } from "./archive.ts";
import { createBackupDisk } from "./backup-disk.ts";
import { findBackup } from "./backup-folder.ts";
import { createInterruptedDisk, Interrupted, type InterruptedDisk } from "./interrupted-disk.ts";
import { interruptFills, isWhole } from "./interruptions.ts";
import { summariseBackups, verifyBackups } from "./index.ts";
import { contentsOf, type Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

type Box = Sandbox & { readonly file: string; readonly target: string };

const open = async (): Promise<Box> => {
  const box = await homes.copy();
  return { ...box, file: join(box.folder, "monday.tar"), target: join(box.folder, "restored") };
};

const archive = ({ home, file }: Box, disk?: InterruptedDisk) =>
  createArchive({ home, file, version: "test", now: Date.now, ...(disk === undefined ? {} : { disk }) });

/** The manifest of the archive. */
const manifestIn = async ({ file, folder }: Box): Promise<Manifest> => {
  const unpacked = join(folder, "look");
  await unpackArchive(file, unpacked, createBackupDisk());
  const manifest = await findBackup(unpacked, undefined);
  rmSync(unpacked, { recursive: true });
  return manifest;
};

/** `npm run test:long` ends at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 12 : 1;

describe("an archive", () => {
  test("is one file from which the whole home is restored", async () => {
    using box = await open();
    const report = await archive(box);
    expect(report).toMatchObject({ number: 1, house: "home", file: box.file, folder: box.folder });
    expect(readdirSync(box.folder).filter((name) => name.includes("monday"))).toEqual(["monday.tar"]);
    const manifest = await manifestIn(box);
    const restored = await restoreBackup({ home: box.target, from: box.file });
    expect(restored).toMatchObject({ kind: "restored", files: contentsOf(manifest).length });
    expect(isWhole(box.target, manifest)).toBe(true);
    expect(existsSync(`${box.target}.unpacked`)).toBe(false);
  });

  test("is listed and verified", async () => {
    using box = await open();
    await archive(box);
    expect(await summariseBackups(box.file)).toMatchObject([{ number: 1, state: "complete", house: "home" }]);
    expect(await verifyBackups(box.file, undefined)).toEqual([{ number: 1, ok: true, problems: [] }]);
  });

  test("can be encrypted", async () => {
    using box = await open();
    const identity = await generateIdentity();
    const recipients = [await identityToRecipient(identity)];
    const { home, file, target } = box;
    await createArchive({ home, file, recipients, version: "test", now: Date.now });
    expect(await verifyBackups(file, undefined, identity)).toMatchObject([{ ok: true, problems: [] }]);
    expect(await failure(restoreBackup({ home: target, from: file }))).toMatchObject({ code: "backup.locked" });
    expect(await restoreBackup({ home: target, from: file, identity })).toMatchObject({ kind: "restored" });
    expect(existsSync(`${target}.unpacked`)).toBe(false);
  });

  test("replaces no existing file and no foreign folder", async () => {
    using box = await open();
    writeFileSync(box.file, "photos");
    expect(await failure(archive(box))).toMatchObject({ code: "backup.foreign" });
    expect(readFileSync(box.file, "utf8")).toBe("photos");
    rmSync(box.file);
    const draft = join(box.folder, ".monday.tar.draft");
    mkdirSync(draft);
    writeFileSync(join(draft, "thesis.txt"), "mine");
    expect(await failure(archive(box))).toMatchObject({ code: "backup.foreign" });
    expect(readdirSync(draft)).toContain("thesis.txt");
    expect(existsSync(box.file)).toBe(false);
  });

  test("is not put into the home", async () => {
    using box = await open();
    const inside = { ...box, file: join(box.home, "monday.tar") };
    expect(await failure(archive(inside))).toBeDefined();
    expect(existsSync(inside.file)).toBe(false);
  });

  test("is a file, or a new name that ends with .tar", async () => {
    using box = await open();
    mkdirSync(join(box.folder, "folder.tar"));
    writeFileSync(join(box.folder, "copy"), "");
    const names = ["new.tar", "new", "folder.tar", "copy"];
    expect(names.map((name) => isArchive(join(box.folder, name)))).toEqual([true, false, false, true]);
  });
});

describe("a damaged archive", () => {
  test("names the damaged file, and nothing is restored", async () => {
    using box = await open();
    await archive(box);
    const whole = readFileSync(box.file);
    for (const { path, hash, sizeBytes } of contentsOf(await manifestIn(box))) {
      if (sizeBytes === 0) continue;
      // A header of 512 bytes precedes the bytes of the file.
      const at = whole.indexOf(`objects/${hash.slice(0, 2)}/${hash}`) + 512;
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(box.file, damaged);
      const outcome = await restoreBackup({ home: box.target, from: box.file }).catch(String);
      expect({ path, text: JSON.stringify(outcome) }).toEqual({ path, text: expect.stringContaining(path) });
      expect([existsSync(box.target), existsSync(`${box.target}.unpacked`)]).toEqual([false, false]);
    }
  });

  test("that was cut anywhere, or is no archive, is never restored", async () => {
    using box = await open();
    await archive(box);
    const whole = readFileSync(box.file);
    // The last 1024 bytes only mark the end.
    const end = whole.length - 1024;
    for (const length of [0, 100, 512, 1000, 5000, Math.floor(end / 2), end - 512]) {
      writeFileSync(box.file, whole.subarray(0, length));
      const outcome = await restoreBackup({ home: box.target, from: box.file }).catch((error: unknown) => error);
      expect({ length, isRestored: JSON.stringify(outcome).includes('"restored"') }).toEqual({
        length,
        isRestored: false,
      });
      expect(existsSync(box.target)).toBe(false);
    }
    rmSync(box.file);
    const missing = restoreBackup({ home: box.target, from: box.file });
    expect(await failure(missing)).toMatchObject({
      code: "backup.not-found",
      message: `There is no file ${box.file}.`,
    });
    writeFileSync(box.file, "no archive".repeat(1000));
    const refused = restoreBackup({ home: box.target, from: box.file });
    expect(await failure(refused)).toMatchObject({ code: "backup.not-found" });
  });
});

describe("an interruption", () => {
  test("at any operation leaves no file or a whole one, and the next attempt succeeds", async () => {
    using box = await open();
    for (let at = 0, isOver = false; !isOver; at += EVERY)
      for (const extent of ["done", "half done"] as const) {
        const disk = createInterruptedDisk(at, extent);
        const ended = await archive(box, disk).catch((error: unknown) => error);
        const where = `${extent}: ${disk.operations[at]}`;
        isOver ||= !(ended instanceof Interrupted);
        if (!existsSync(box.file)) await archive(box);
        const verified = await verifyBackups(box.file, undefined);
        expect({ where, verified }).toEqual({ where, verified: [{ number: 1, ok: true, problems: [] }] });
        rmSync(box.file);
        if (isOver || !disk.endsInWrite()) break;
      }
  }, 300_000);

  test("every byte is durable before the file has its name, and the name before the end", async () => {
    using box = await open();
    const disk = createInterruptedDisk(Infinity, "done");
    await archive(box, disk);
    const named = disk.operations.findIndex((what) => what.endsWith(` ${box.file}`));
    const written = disk.operations.findIndex((what) => what.startsWith("write ") && what.endsWith("/archive"));
    expect([written > -1, named > written]).toEqual([true, true]);
    expect(disk.operations.slice(named)).toContain(`syncFolder ${dirname(box.file)}`);
  });

  test("of a restore leaves no home that starts, and can be run again", async () => {
    using box = await open();
    await archive(box);
    const manifest = await manifestIn(box);
    await interruptFills({
      home: box.target,
      stepSize: EVERY,
      fill: (disk) => restoreBackup({ home: box.target, from: box.file, disk }),
      isWhole: () => isWhole(box.target, manifest),
    });
  }, 300_000);
});
