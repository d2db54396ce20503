/** Encrypted backups: what can be read without a secret key, sharing, restore, damage, interruption. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { createHomes, failure, LONG, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { findBackup, listBackups, objectPath } from "./backup-folder.ts";
import { type BackupOptions, createBackup } from "./create.ts";
import { verifyBackups } from "./index.ts";
import { createInterruptedDisk, Interrupted } from "./interrupted-disk.ts";
import { isWhole } from "./interruptions.ts";
import { contentsOf } from "./manifest.ts";
import { type RestoreOptions, restoreBackup } from "./restore.ts";
import { findDamage } from "./verify.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

let identity: string;
let recipient: string;
beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
});

/** `npm run test:long` ends a backup at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 90 : 1;

const backUp = ({ home, backups }: Sandbox, more: Partial<BackupOptions> = {}) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, recipients: [recipient], ...more });
const restore = ({ folder, backups }: Sandbox, more: Partial<RestoreOptions> = {}) =>
  restoreBackup({ home: join(folder, "restored"), from: backups, identity: `# created: now\n${identity}\n`, ...more });
/** Every byte of the folder of backups, and every name in it. */
const everything = ({ backups }: Sandbox): string =>
  readdirSync(backups, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name + readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

describe("an encrypted backup", () => {
  test("shows no text, name, path or plain hash of the house, and leaves no plain copy in the home", async () => {
    using box = await homes.copy();
    expect(await backUp(box)).toMatchObject({ number: 1, house: "home", isEncrypted: true, remarks: [] });
    const stored = everything(box);
    const plain = join(box.folder, "plain");
    await createBackup({ home: box.home, to: plain, version: "test", now: Date.now });
    const manifest = await findBackup(plain, undefined);
    for (const { path, hash } of contentsOf(manifest)) {
      expect([path, stored.includes(hash)]).toEqual([path, false]);
      if (path !== "hearth.db") expect([path, stored.includes(path)]).toEqual([path, false]);
    }
    for (const text of [manifest.house.id, LONG.slice(0, 60), "hearth.toml", "SOUL.md", recipient])
      expect([text, stored.includes(text)]).toEqual([text, false]);
    expect(existsSync(join(box.home, "cache/backups/copy"))).toBe(false);
  });

  test("is restored with the secret key only", async () => {
    using box = await homes.copy();
    await backUp(box);
    const other = await generateIdentity();
    const { identity: _, ...without } = { home: join(box.folder, "restored"), from: box.backups, identity };
    expect(await failure(restoreBackup(without))).toMatchObject({ code: "backup.locked" });
    for (const wrong of [other, "", "no key"])
      expect(await failure(restore(box, { identity: wrong }))).toMatchObject({ code: "backup.locked" });
    expect(readdirSync(box.folder).toSorted()).toEqual(["backups", "home"]);
    expect(await restore(box)).toMatchObject({ kind: "restored", number: 1, house: "home" });
    const plain = join(box.folder, "plain");
    await createBackup({ home: box.home, to: plain, version: "test", now: Date.now });
    const manifest = await findBackup(plain, undefined);
    const files = manifest.files.filter(({ path }) => path !== "hearth.db");
    expect(isWhole(join(box.folder, "restored"), { ...manifest, files })).toBe(true);
    expect(existsSync(join(box.folder, "restored.decrypted"))).toBe(false);
  });

  test("shares unchanged contents with earlier ones for the same recipients, also without its list", async () => {
    using box = await homes.copy();
    const first = await backUp(box);
    const second = await backUp(box);
    // The manifest, and the database, which records no change but is copied again.
    expect(second.added.files).toBeLessThanOrEqual(2);
    rmSync(join(box.home, "cache"), { recursive: true });
    const third = await backUp(box);
    expect(third.added.files).toBe(first.added.files);
    const other = await identityToRecipient(await generateIdentity());
    const fourth = await backUp(box, { recipients: [recipient, other], keep: 2 });
    expect([fourth.added.files, fourth.removed]).toEqual([first.added.files, [1, 2]]);
    expect(await restore(box)).toMatchObject({ kind: "restored", number: 4 });
    expect((await verifyBackups(box.backups, undefined, identity)).map(({ ok }) => ok)).toEqual([true, true]);
  });

  test("is verified without the secret key, and names every damaged object", async () => {
    using box = await homes.copy();
    await backUp(box);
    expect(await verifyBackups(box.backups, undefined)).toEqual([
      { number: 1, ok: true, isEncrypted: true, problems: [] },
    ]);
    expect(await verifyBackups(box.backups, 1, identity)).toEqual([{ number: 1, ok: true, problems: [] }]);
    for (const { path, hash } of contentsOf(await findBackup(box.backups, 1)).slice(0, 5)) {
      const object = objectPath(box.backups, hash);
      const bytes = readFileSync(object);
      writeFileSync(object, bytes.subarray(0, bytes.length - 1));
      const [verified] = await verifyBackups(box.backups, undefined);
      expect(verified).toEqual({ number: 1, ok: false, problems: [{ path, fault: "damaged" }] });
      expect(await restore(box)).toMatchObject({ kind: "damaged", problems: [{ path }] });
      writeFileSync(object, bytes);
    }
  });

  test("writes a damaged object of an earlier one again", async () => {
    using box = await homes.copy();
    await backUp(box);
    const { encrypted } = await findBackup(box.backups, 1);
    for (const [name] of encrypted?.objects ?? []) writeFileSync(objectPath(box.backups, name), "damaged");
    await backUp(box);
    expect(await restore(box)).toMatchObject({ kind: "restored", number: 2 });
  });

  test("for something that is no recipient is refused", async () => {
    using box = await homes.copy();
    expect(await failure(backUp(box, { recipients: ["age1nothing"] }))).toMatchObject({ code: "config.invalid" });
    expect(await listBackups(box.backups)).toEqual([]);
  });

  test("that ends at any operation is complete or not listed", async () => {
    using box = await homes.copy();
    await backUp(box);
    for (let at = 0, isOver = false; !isOver; at += EVERY) {
      writeFileSync(join(box.home, "brains/main/NOTE.md"), `${at}`);
      const disk = createInterruptedDisk(at, "done");
      isOver = !((await failure(backUp(box, { keep: 1, disk }))) instanceof Interrupted);
      const where = String(disk.operations[at]);
      const listed = await listBackups(box.backups);
      expect({ where, states: listed.map(({ state }) => state) }).toEqual({
        where,
        states: listed.map(() => "complete"),
      });
      expect(listed.length).toBeGreaterThan(0);
      for (const { manifest } of listed)
        expect({ where, damage: manifest === undefined ? [] : await findDamage(box.backups, manifest) }).toEqual({
          where,
          damage: [],
        });
    }
    await backUp(box);
    expect(await restore(box)).toMatchObject({ kind: "restored" });
  }, 300_000);
});
