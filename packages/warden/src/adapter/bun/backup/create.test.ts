/** Backups of a home: contents, sharing, what changes meanwhile, damage, and interruption. */
import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHomes, failure, LONG, openHomeOnDisk, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { rotateAuditKeyOffline } from "../audit/rotate-key-offline.ts";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { findBackup, listBackups, manifestPath, objectPath } from "./backup-folder.ts";
import { type BackupOptions, createBackup } from "./create.ts";
import { blobPath, contentsOf, type Manifest, sealManifest } from "./manifest.ts";
import { isWhole } from "./interruptions.ts";
import { restoreBackup } from "./restore.ts";
import { verifyBackup } from "./verify.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

const backUp = ({ home, backups }: Sandbox, more: Partial<BackupOptions> = {}) =>
  createBackup({ home, to: backups, version: "test", now: Date.now, ...more });
const newest = ({ backups }: Sandbox): Promise<Manifest> => findBackup(backups, undefined);
const isIntact = async (box: Sandbox, number?: number): Promise<boolean> =>
  (await verifyBackup(box.backups, await findBackup(box.backups, number))).ok;
const blobOf = ({ home }: Sandbox): string => {
  using database = new Database(join(home, "hearth.db"));
  const row = database.query<{ blob: string }, []>("select blob from events where blob is not null").get();
  return row?.blob ?? "";
};
const read = async (box: Sandbox, path: string): Promise<string | undefined> => {
  const file = (await newest(box)).files.find((file) => file.path === path);
  return file === undefined ? undefined : readFileSync(objectPath(box.backups, file.hash), "utf8");
};

describe("a backup", () => {
  test("holds the database, its blobs, brains, keys, the audit anchor and the config, and is verified", async () => {
    using box = await homes.copy();
    const report = await backUp(box);
    expect(report).toMatchObject({ number: 1, house: "home", removed: [], remarks: [] });
    const manifest = await newest(box);
    const paths = contentsOf(manifest).map(({ path }) => path);
    expect(paths).toContain("brains/main/SOUL.md");
    for (const path of ["hearth.db", "hearth.toml", "audit/heads.json", "keys/audit.key", blobPath(blobOf(box))])
      expect(paths).toContain(path);
    expect(await isIntact(box)).toBe(true);
    expect(readFileSync(objectPath(box.backups, blobOf(box)), "utf8")).toContain(LONG);
  });

  test("has one key for all of its rows, also if the key of the audit log is rotated meanwhile", async () => {
    using box = await homes.copy();
    const disk = createBackupDisk();
    let rotations = 0;
    const create: BackupDisk["create"] = async (path, make) => {
      // The key file is copied already, and the database is not.
      if (rotations === 0) {
        rotations += 1;
        await rotateAuditKeyOffline(box.home);
      }
      await disk.create(path, make);
    };
    expect(await backUp(box, { disk: { ...disk, create } })).toMatchObject({ remarks: [] });
    expect([rotations, await isIntact(box)]).toEqual([1, true]);
    expect(await read(box, "keys/audit.key")).toBe(readFileSync(join(box.home, "keys/audit.key"), "utf8"));
  });

  test("keeps modes, empty folders and links, and follows no link", async () => {
    using box = await homes.copy();
    const workspace = join(box.home, "brains/main/workspace");
    mkdirSync(join(workspace, "empty"), { recursive: true });
    writeFileSync(join(workspace, "run.sh"), "true\n");
    chmodSync(join(workspace, "run.sh"), 0o755);
    symlinkSync("/etc", join(workspace, "etc"));
    await backUp(box);
    const manifest = await newest(box);
    expect(manifest.files.find(({ path }) => path.endsWith("run.sh"))).toMatchObject({ mode: 0o755 });
    expect(manifest.folders.map(({ path }) => path)).toContain("brains/main/workspace/empty");
    expect(manifest.links).toEqual([{ path: "brains/main/workspace/etc", target: "/etc" }]);
  });

  test("leaves out run files, logs, caches, earlier databases and the search index", async () => {
    using box = await homes.copy();
    for (const folder of ["run", "logs", "cache", "copies", "damaged", "brains/main/db", "brains/main/.persona"]) {
      mkdirSync(join(box.home, folder), { recursive: true });
      writeFileSync(join(box.home, folder, "file"), folder);
    }
    writeFileSync(join(box.home, "hearth.db-generation"), "x\n");
    await backUp(box);
    const tops = new Set(contentsOf(await newest(box)).map(({ path }) => path.split("/")[0]));
    expect(tops).toEqual(new Set(["audit", "blobs", "brains", "hearth.db", "hearth.toml", "keys"]));
    expect(await read(box, "brains/main/db/file")).toBeUndefined();
    expect(await read(box, "brains/main/.persona/file")).toBeUndefined();
  });

  test("holds files that the house does not know", async () => {
    using box = await homes.copy();
    mkdirSync(join(box.home, "notes"));
    writeFileSync(join(box.home, "notes/a.txt"), "kept");
    await backUp(box);
    expect(await read(box, "notes/a.txt")).toBe("kept");
  });

  test("does not copy again what the folder has", async () => {
    using box = await homes.copy();
    await backUp(box);
    writeFileSync(join(box.home, "brains/main/NEW.md"), "new");
    const { number, added } = await backUp(box);
    // The brain file; the database did not change.
    expect([number, added]).toEqual([2, { files: 1, bytes: 3 }]);
    expect([await isIntact(box, 1), await isIntact(box, 2)]).toEqual([true, true]);
  });

  test("is made while the house runs and writes", async () => {
    using box = await homes.copy();
    await using open = await openHomeOnDisk(box.home, [{ text: "one" }, { text: "two" }]);
    await open.house.post(`${LONG} again`);
    await backUp(box);
    await open.house.post("after the backup");
    await open.house.until(8);
    expect(await isIntact(box)).toBe(true);
  });
});

describe("a home of an older Hearth", () => {
  const GOLDEN = join(import.meta.dir, "../../../../../../tests/golden");
  const old = readdirSync(GOLDEN).filter((name) => name.endsWith(".tar.gz"));

  test.each(old)("is backed up with every blob, and restored as it was: %s", async (name) => {
    using box = await homes.copy();
    const unpacked = join(box.folder, "old");
    mkdirSync(unpacked);
    expect(Bun.spawnSync(["tar", "xzf", join(GOLDEN, name), "-C", unpacked]).exitCode).toBe(0);
    const home = join(unpacked, "home");
    await backUp({ ...box, home });
    const { blobs } = await newest(box);
    const stored = readdirSync(join(home, "blobs"), { recursive: true, withFileTypes: true });
    const files = stored.filter((entry) => entry.isFile() && entry.name.length === 64);
    expect(blobs.length).toBe(files.length);
    expect(await isIntact(box)).toBe(true);
    const target = join(box.folder, "restored");
    expect(await restoreBackup({ home: target, from: box.backups })).toMatchObject({ kind: "restored" });
    expect(isWhole(target, await newest(box))).toBe(true);
  });
});

describe("a folder of backups", () => {
  test("inside the home, with other files, or in use is refused", async () => {
    using box = await homes.copy();
    expect(await failure(backUp(box, { to: join(box.home, "backups") }))).toMatchObject({ code: "backup.foreign" });
    mkdirSync(box.backups);
    writeFileSync(join(box.backups, "thesis.txt"), "mine");
    expect(await failure(backUp(box))).toMatchObject({ code: "backup.foreign" });
    rmSync(join(box.backups, "thesis.txt"));
    using other = new Database(join(box.backups, "lock"));
    other.run("begin exclusive");
    expect(await failure(backUp(box))).toMatchObject({ code: "backup.busy" });
  });

  test("without a home is not made", async () => {
    using box = await homes.copy();
    expect(await failure(backUp(box, { home: join(box.folder, "none") }))).toMatchObject({ code: "store.unavailable" });
  });

  test("keeps the newest N backups of the house and the objects that they name", async () => {
    using box = await homes.copy();
    for (const text of ["1", "2", "3"]) {
      writeFileSync(join(box.home, "brains/main/NOTE.md"), text);
      const { removed } = await backUp(box, { keep: 2 });
      expect(removed).toEqual(text === "3" ? [1] : []);
    }
    const listed = await listBackups(box.backups);
    expect(listed.map(({ number, state }) => [number, state])).toEqual([
      [2, "complete"],
      [3, "complete"],
    ]);
    expect([await isIntact(box, 2), await isIntact(box, 3)]).toEqual([true, true]);
    expect(existsSync(objectPath(box.backups, sha256("1")))).toBe(false);
    expect(existsSync(objectPath(box.backups, sha256("2")))).toBe(true);
  });

  test("with too little space loses the objects that no backup names, and takes a backup if that is enough", async () => {
    using box = await homes.copy();
    const disk = createBackupDisk();
    /** A disk that is full while the folder has the objects of both backups. */
    const small: BackupDisk = {
      ...disk,
      freeBytes: async () => (readdirSync(join(box.backups, "objects"), { recursive: true }).length > most ? 0 : 1e9),
    };
    for (const text of ["1", "2"]) {
      writeFileSync(join(box.home, "brains/main/NOTE.md"), text);
      await backUp(box);
    }
    const most = readdirSync(join(box.backups, "objects"), { recursive: true }).length - 1;
    expect(await failure(backUp(box, { disk: small }))).toMatchObject({ code: "backup.full" });
    expect([await isIntact(box, 1), await isIntact(box, 2)]).toEqual([true, true]);
    rmSync(manifestPath(box.backups, 1));
    expect(await backUp(box, { disk: small })).toMatchObject({ number: 3 });
    expect([await isIntact(box, 2), await isIntact(box, 3)]).toEqual([true, true]);
  });

  test("keeps backups of other houses, damaged ones, and every object while a manifest is unreadable", async () => {
    using box = await homes.copy();
    await backUp(box);
    const first = await newest(box);
    const other = { ...first, number: 2, house: { id: "house_other", handle: "other" } };
    writeFileSync(manifestPath(box.backups, 2), sealManifest(other));
    writeFileSync(manifestPath(box.backups, 3), "no manifest");
    const orphan = objectPath(box.backups, sha256("orphan"));
    mkdirSync(join(orphan, ".."), { recursive: true });
    writeFileSync(orphan, "orphan");
    const { number, removed } = await backUp(box, { keep: 1 });
    expect([number, removed]).toEqual([4, [1]]);
    expect((await listBackups(box.backups)).map(({ number: id, state }) => [id, state])).toEqual([
      [2, "complete"],
      [3, "damaged"],
      [4, "complete"],
    ]);
    expect(existsSync(orphan)).toBe(true);
    rmSync(manifestPath(box.backups, 3));
    await backUp(box);
    expect(existsSync(orphan)).toBe(false);
  });

  test("a manifest that names a place outside of the home is refused", async () => {
    using box = await homes.copy();
    await backUp(box);
    const manifest = await newest(box);
    for (const path of ["../x", "/etc/x", "brains/../../x", "brains//x", ""]) {
      const files = manifest.files.map((file, index) => (index === 0 ? { ...file, path } : file));
      writeFileSync(manifestPath(box.backups, 1), sealManifest({ ...manifest, files }));
      expect(await listBackups(box.backups)).toMatchObject([
        { state: "damaged", problem: "its manifest is not valid" },
      ]);
    }
  });

  test("a manifest of a newer Hearth says so", async () => {
    using box = await homes.copy();
    await backUp(box);
    const newer = { ...(await newest(box)), format: 3 } as unknown as Manifest;
    writeFileSync(manifestPath(box.backups, 1), sealManifest(newer));
    expect(await listBackups(box.backups)).toMatchObject([{ problem: expect.stringContaining("newer Hearth") }]);
  });
});

/** Runs `work` before the first copy of the database. */
const beforeSnapshot = (work: () => void | Promise<void>): BackupDisk => {
  const disk = createBackupDisk();
  let isDone = false;
  return {
    ...disk,
    async create(path, make) {
      if (!isDone) {
        isDone = true;
        await work();
      }
      await disk.create(path, make);
    },
  };
};

describe("a change during the backup", () => {
  test("of a brain file by the house gives the version that the database has", async () => {
    using box = await homes.copy();
    await using open = await openHomeOnDisk(box.home, []);
    const at = (path: string): string => `/api/agents/main/brain/file?path=${encodeURIComponent(path)}`;
    const write = async (path: string, text: string): Promise<void> => {
      expect((await open.house.ask("PUT", at(path), { text })).status).toBe(200);
    };
    await write("MEMORY.md", "before\n");
    await write("GONE.md", "before\n");
    const disk = beforeSnapshot(async () => {
      await write("MEMORY.md", "between\n");
      await write("MEMORY.md", "after\n");
      await write("memory/new.md", "new\n");
      expect((await open.house.ask("DELETE", at("GONE.md"))).status).toBe(200);
    });
    await backUp(box, { disk });
    const copied = ["MEMORY.md", "memory/new.md", "GONE.md"].map((path) => read(box, `brains/main/${path}`));
    expect(await Promise.all(copied)).toEqual(["after\n", "new\n", undefined]);
  });

  test("of a brain file by hand keeps the edit", async () => {
    using box = await homes.copy();
    writeFileSync(join(box.home, "brains/main/SOUL.md"), "edited by hand\n");
    await backUp(box);
    expect(await read(box, "brains/main/SOUL.md")).toBe("edited by hand\n");
  });

  test("that removes a blob and its row leaves a backup without both", async () => {
    using box = await homes.copy();
    const blob = blobOf(box);
    const disk = createBackupDisk();
    let copies = 0;
    await backUp(box, {
      disk: {
        ...disk,
        async create(path, make) {
          await disk.create(path, make);
          copies += 1;
          if (copies > 1) return;
          rmSync(join(box.home, blobPath(blob)));
          using database = new Database(join(box.home, "hearth.db"));
          database.run("update events set blob = null, body = '{}' where blob is not null");
        },
      },
    });
    expect(copies).toBe(2);
    const { blobs, remarks } = await newest(box);
    expect([blobs.some(([hash]) => hash === blob), remarks.filter((remark) => remark.includes(blob))]).toEqual([
      false,
      [],
    ]);
  });
});

describe("damage of the home", () => {
  test("a missing and a damaged blob are reported, and the backup holds everything else", async () => {
    using box = await homes.copy();
    const blob = blobOf(box);
    rmSync(join(box.home, blobPath(blob)));
    expect((await backUp(box)).remarks).toEqual([`the blob ${blob} is missing in the home`]);
    writeFileSync(join(box.home, blobPath(blob)), "other bytes");
    expect((await backUp(box)).remarks).toEqual([`the blob ${blob} is damaged in the home`]);
    expect(await isIntact(box)).toBe(true);
  });

  test("a blob that an earlier backup holds is in the next one too", async () => {
    using box = await homes.copy();
    await backUp(box);
    rmSync(join(box.home, blobPath(blobOf(box))));
    expect((await backUp(box)).remarks).toEqual([]);
  });

  test("a damaged database is no backup", async () => {
    using box = await homes.copy();
    const path = join(box.home, "hearth.db");
    const bytes = readFileSync(path);
    for (let page = 8; page < bytes.length / 4096; page += 2) bytes.fill(0xff, page * 4096, page * 4096 + 4096);
    writeFileSync(path, bytes);
    expect(await failure(backUp(box))).toMatchObject({ code: "store.damaged" });
    expect(await listBackups(box.backups)).toEqual([]);
  });

  test("changed audit rows are reported", async () => {
    using box = await homes.copy();
    {
      using database = new Database(join(box.home, "hearth.db"));
      database.run("update events set body = '{}' where stream like 'audit:%' and offset = 2");
    }
    expect((await backUp(box)).remarks.join("\n")).toContain("audit log of home");
  });
});

describe("damage of a backup", () => {
  const damages = {
    removed: (path: string) => rmSync(path),
    truncated: (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    changed: (path: string) => {
      const bytes = readFileSync(path);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  };

  test("`verify` names every damaged file", async () => {
    using box = await homes.copy();
    await backUp(box);
    const manifest = await newest(box);
    for (const { path, hash } of contentsOf(manifest))
      for (const [fault, damage] of Object.entries(damages)) {
        const object = objectPath(box.backups, hash);
        const bytes = readFileSync(object);
        if (bytes.length === 0 && fault !== "removed") continue;
        damage(object);
        const { ok, problems } = await verifyBackup(box.backups, manifest);
        const named = problems.map((problem) => problem.path);
        expect({ path, fault, ok, isNamed: named.includes(path) }).toEqual({ path, fault, ok: false, isNamed: true });
        if (fault === "removed")
          expect(await listBackups(box.backups)).toMatchObject([
            { state: "damaged", problem: expect.stringContaining("missing") },
          ]);
        writeFileSync(object, bytes);
      }
    expect(await isIntact(box)).toBe(true);
  });

  test("every changed byte of a manifest is noticed", async () => {
    using box = await homes.copy();
    await backUp(box);
    const path = manifestPath(box.backups, 1);
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      expect((await listBackups(box.backups))[0]?.state).toBe("damaged");
    }
    for (const size of [0, 1, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, size));
      expect((await listBackups(box.backups))[0]?.state).toBe(size === bytes.length - 1 ? "complete" : "damaged");
    }
  });

  test("a later backup writes a damaged file again, so both are intact", async () => {
    using box = await homes.copy();
    await backUp(box);
    const { hash } = contentsOf(await newest(box)).find(({ path }) => path.endsWith("SOUL.md")) ?? { hash: "" };
    damages.changed(objectPath(box.backups, hash));
    expect(await isIntact(box)).toBe(false);
    await backUp(box);
    expect([await isIntact(box, 1), await isIntact(box, 2)]).toEqual([true, true]);
  });

  test("files that cannot be read back as they were written are no backup", async () => {
    using box = await homes.copy();
    const disk = createBackupDisk();
    const write: BackupDisk["write"] = async (path, chunks) => {
      const digest = await disk.write(path, chunks);
      if (digest.sizeBytes > 0) damages.changed(path);
      return digest;
    };
    expect(await failure(backUp(box, { disk: { ...disk, write } }))).toMatchObject({ code: "backup.damaged" });
    expect(readdirSync(box.backups).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });
});

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
