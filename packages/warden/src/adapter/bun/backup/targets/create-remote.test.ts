/** Backups in a target: incremental, interrupted, encrypted, pruned, locked, damaged and restored. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { isHearthError } from "@hearth/protocol";
import { createHomes, failure, type Sandbox } from "../../../../fixtures/home-on-disk.ts";
import { createBackupDisk } from "../backup-disk.ts";
import { contentsOf, type Manifest } from "../manifest.ts";
import { restoreBackup } from "../restore.ts";
import { verifyBackup } from "../verify.ts";
import { createRemoteBackup, type RemoteBackupOptions } from "./create-remote.ts";
import { fetchBackup, listTarget, objectKey } from "./listing.ts";
import { LOCK_EXPIRY_MS, lockTarget } from "./lock.ts";
import { createMemoryTarget, type MemoryTarget } from "./memory.ts";

const homes = createHomes();
const drafts = mkdtempSync(join(tmpdir(), "hearth-remote-"));
afterAll(() => {
  homes[Symbol.dispose]();
  rmSync(drafts, { recursive: true });
});

const backUp = ({ home }: Sandbox, target: MemoryTarget, more: Partial<RemoteBackupOptions> = {}) =>
  createRemoteBackup({ home, target, version: "test", now: Date.now, ...more });
const list = (target: MemoryTarget) => listTarget(target, drafts);
const newest = async (target: MemoryTarget): Promise<Manifest> => {
  const manifest = (await list(target)).at(-1)?.manifest;
  if (manifest === undefined) throw new Error("there is no backup");
  return manifest;
};
const fetchTo = async (target: MemoryTarget, folder: string): Promise<Manifest> => {
  const manifest = await newest(target);
  await fetchBackup({ target, manifest, folder, disk: createBackupDisk() });
  return manifest;
};
const keysOf = (target: MemoryTarget, prefix: string): readonly string[] =>
  [...target.objects.keys()].filter((key) => key.startsWith(prefix));

describe("a backup in a target", () => {
  test("is complete, can be restored, and leaves nothing in the home but its own id", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    const report = await backUp(box, target);
    expect(report).toMatchObject({ number: 1, house: "home", remarks: [], removed: [], folder: "memory:" });
    expect((await list(target)).map(({ number, state }) => [number, state])).toEqual([[1, "complete"]]);
    expect(keysOf(target, "lock/")).toEqual([]);
    const left = readdirSync(join(box.home, "cache/backups"), { recursive: true, withFileTypes: true });
    expect(
      left
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["holder", "lock"]);
    const folder = join(box.folder, "fetched");
    expect(await verifyBackup(folder, await fetchTo(target, folder))).toMatchObject({ ok: true, problems: [] });
    const restored = await restoreBackup({ home: join(box.folder, "restored"), from: folder });
    expect(restored).toMatchObject({ kind: "restored", number: 1, files: report.files });
  });

  test("sends only what the target does not have", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    const first = await backUp(box, target);
    expect(first.added.files).toBe(keysOf(target, "objects/").length);
    writeFileSync(join(box.home, "hearth.toml"), "version = 1\n");
    const second = await backUp(box, target);
    expect([second.number, second.files]).toEqual([2, first.files]);
    // The config, and at most the database.
    expect(second.added.files).toBeGreaterThanOrEqual(1);
    expect(second.added.files).toBeLessThanOrEqual(2);
  });

  test("that ends early is not listed, whenever that is, and the next one completes it", async () => {
    using box = await homes.copy();
    const whole = createMemoryTarget();
    await backUp(box, whole);
    const puts = whole.objects.size + 1;
    for (let allowed = 0; allowed < puts; allowed += Math.max(1, Math.floor(puts / 6))) {
      const target = createMemoryTarget();
      const { put } = target;
      let count = 0;
      const cut: MemoryTarget = Object.create(target, {
        put: {
          value: (...words: Parameters<typeof put>) => {
            target.isCut = (count += 1) > allowed;
            return put(...words);
          },
        },
      });
      expect([allowed, isHearthError(await failure(backUp(box, cut)), "backup.unreachable")]).toEqual([allowed, true]);
      target.isCut = false;
      expect([allowed, await list(target)]).toEqual([allowed, []]);
      const sent = keysOf(target, "objects/").length;
      const { added, files } = await backUp(box, target);
      expect((await list(target)).map(({ state }) => state)).toEqual(["complete"]);
      // The database is another file each time.
      expect(added.files).toBeLessThanOrEqual(files - sent + 1);
    }
  });

  test("that is encrypted shares objects with earlier ones, and can be restored with its key alone", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    const identity = await generateIdentity();
    const recipients = [await identityToRecipient(identity)];
    const first = await backUp(box, target, { recipients });
    expect(first).toMatchObject({ isEncrypted: true, remarks: [] });
    for (const bytes of target.objects.values()) expect(Buffer.from(bytes).includes("a long message")).toBe(false);
    const second = await backUp(box, target, { recipients });
    expect([second.number, second.added.files <= 2]).toEqual([2, true]);
    const folder = join(box.folder, "fetched");
    await fetchTo(target, folder);
    const home = join(box.folder, "restored");
    expect(isHearthError(await failure(restoreBackup({ home, from: folder })), "backup.locked")).toBe(true);
    expect(await restoreBackup({ home, from: folder, identity })).toMatchObject({ kind: "restored", number: 2 });
  });

  test("keeps the newest ones and every object that they name", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    for (const text of ["one", "two", "three"]) {
      writeFileSync(join(box.home, "hearth.toml"), `version = 1\n# ${text}\n`);
      await backUp(box, target, { keep: 2 });
    }
    const listed = await list(target);
    expect(listed.map(({ number, state }) => [number, state])).toEqual([
      [2, "complete"],
      [3, "complete"],
    ]);
    const named = new Set(
      listed.flatMap(({ manifest }) => (manifest ? contentsOf(manifest) : [])).map((object) => object.hash),
    );
    expect(keysOf(target, "objects/").toSorted()).toEqual([...named].map(objectKey).toSorted());
  });

  test("removes no object while a manifest cannot be read", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    await backUp(box, target);
    const before = keysOf(target, "objects/");
    target.objects.set("backup-000001.json", Buffer.from("damaged"));
    writeFileSync(join(box.home, "hearth.toml"), "version = 1\n");
    await backUp(box, target, { keep: 1 });
    expect(before.filter((key) => !target.objects.has(key))).toEqual([]);
  });

  test("is refused while another home writes there, and removes nothing", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    let now = Date.now();
    const lock = await lockTarget({ target, holder: "another", drafts, now: () => now });
    const before = [...target.objects.keys()];
    expect(isHearthError(await failure(backUp(box, target)), "backup.busy")).toBe(true);
    expect([...target.objects.keys()]).toEqual(before);
    // A killed process on another machine never releases its lock.
    now += LOCK_EXPIRY_MS + 1;
    expect(await backUp(box, target, { now: () => now })).toMatchObject({ number: 1 });
    expect(isHearthError(await failure(lock.requireHeld()), "backup.busy")).toBe(true);
  });

  test("takes the lock of a killed backup of the same home", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    const { delete: remove } = target;
    const killed: MemoryTarget = Object.create(target, {
      delete: { value: (key: string) => (key.startsWith("lock/") ? Promise.resolve() : remove(key)) },
    });
    await backUp(box, killed);
    expect(keysOf(target, "lock/")).toHaveLength(1);
    expect(await backUp(box, target)).toMatchObject({ number: 2 });
    expect(keysOf(target, "lock/")).toEqual([]);
  });

  test("A45: sends a damaged object again, and a restore names the file until then", async () => {
    using box = await homes.copy();
    const target = createMemoryTarget();
    await backUp(box, target);
    const { files } = await newest(target);
    const config = files.find(({ path }) => path === "hearth.toml");
    const key = objectKey(config?.hash ?? "");
    target.objects.set(key, Buffer.alloc(config?.sizeBytes ?? 0));
    const folder = join(box.folder, "fetched");
    await fetchTo(target, folder);
    const home = join(box.folder, "restored");
    expect(await restoreBackup({ home, from: folder })).toMatchObject({
      kind: "damaged",
      problems: [{ path: "hearth.toml", fault: "damaged" }],
    });
    expect(existsSync(join(home, "hearth.toml"))).toBe(false);
    // Fewer objects than each backup samples.
    for (const other of keysOf(target, "objects/")
      .filter((other) => other !== key)
      .slice(5))
      target.objects.delete(other);
    await backUp(box, target);
    expect(await verifyBackup(folder, await fetchTo(target, folder))).toMatchObject({ ok: true });
  });
});
