/**
 * A home whose audit log is partly archived, also with rotations of its key: checks, backups, sizes,
 * repair and the Python verifier.
 */
import { afterAll, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateIdentity, identityToRecipient } from "age-encryption";
import type { HouseId } from "@hearth/protocol";
import { createHomes, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { openAudit, sealerOf } from "../../../kernel/audit/audit.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createSqliteStore } from "../../../kernel/store/sqlite.ts";
import { findBackup } from "../backup/backup-folder.ts";
import { createBackup } from "../backup/create.ts";
import { blobPath } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/restore.ts";
import { verifyBackup } from "../backup/verify.ts";
import { openBlobs } from "../blobs.ts";
import { exportHome } from "../export/create-export.ts";
import { importExport } from "../export/import-export.ts";
import { openSqlite } from "../sqlite.ts";
import { examineStorage } from "../storage/examine.ts";
import { measureStorage } from "../storage/measure.ts";
import { repairHome } from "../storage/repair.ts";
import { createBunWorld } from "../world.ts";
import { openOfflineAuditLog } from "./offline-audit-log.ts";
import { openAuditParts } from "./parts.ts";
import { rotateAuditKeyOffline } from "./rotate-key-offline.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

/** Archives all rows in segments of 4, as far as they are full. */
const archive = async (home: string): Promise<void> => {
  const world = createBunWorld();
  const parts = { ...(await openAuditParts(home, world)), segmentRows: 4 };
  await using store = await createSqliteStore({
    database: openSqlite(join(home, "hearth.db")),
    clock: world.clock,
    sealer: sealerOf(parts.keys),
  });
  const blobs = await openBlobs(join(home, "blobs"));
  await using audit = await openAudit({ world, log: createFakeLog(), store, blobs, parts });
  expect(await audit.archive(world.clock.now())).toBeGreaterThan(0);
};

interface SegmentRow {
  readonly through: number;
  readonly blob: string;
  readonly size: number;
}
const segmentsOf = (home: string): readonly SegmentRow[] => {
  using database = new Database(join(home, "hearth.db"));
  return database.query<SegmentRow, []>("select through, blob, size from audit_segments order by after").all();
};

const verify = async (home: string) => {
  using log = await openOfflineAuditLog(home);
  const [house] = await log.records();
  return await log.verify(house?.id as HouseId);
};

test("an archived log is complete without the daemon, and the deep check finds nothing", async () => {
  using copy = await homes.copy();
  const before = await verify(copy.home);
  await archive(copy.home);
  const segments = segmentsOf(copy.home);
  expect(segments.length).toBeGreaterThan(2);
  expect(await verify(copy.home)).toEqual({ ...before, rows: before.rows + segments.length });
  expect((await examineStorage(copy.home)).filter(({ ok }) => !ok)).toEqual([]);
});

test("a damaged segment is named by the deep check and by the verification", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  const [, second] = segmentsOf(copy.home);
  const path = join(copy.home, blobPath(second?.blob ?? ""));
  const bytes = readFileSync(path);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const bad = (await examineStorage(copy.home)).filter(({ ok }) => !ok);
  expect(bad.map(({ name }) => name)).toEqual(["blobs", "audit log"]);
  expect(bad[0]?.detail).toMatch(/^audit log of house_\w+, rows 5 to 8: blob \w+ is damaged$/);
  expect((await verify(copy.home)).findings.map(({ fault, from, to }) => [fault, from, to])).toEqual([
    ["missing", 5, 8],
    ["missing", 5, 8],
  ]);
});

test("a backup holds the segments and the keys, and the restored home has its whole log", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  await rotateAuditKeyOffline(copy.home);
  await archive(copy.home);
  const before = await verify(copy.home);
  const { remarks } = await createBackup({ home: copy.home, to: copy.backups, version: "test", now: Date.now });
  const manifest = await findBackup(copy.backups, undefined);
  expect([remarks, (await verifyBackup(copy.backups, manifest)).ok]).toEqual([[], true]);
  const names = manifest.blobs.map(([hash]) => hash);
  for (const { blob } of segmentsOf(copy.home)) expect(names).toContain(blob);
  const target = join(copy.folder, "restored");
  await restoreBackup({ home: target, from: copy.backups });
  expect(await verify(target)).toEqual(before);
});

test("an encrypted backup verifies segments that it does not copy again", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  const recipients = [await identityToRecipient(await generateIdentity())];
  for (const number of [1, 2])
    expect(
      await createBackup({ home: copy.home, to: copy.backups, recipients, version: "test", now: Date.now }),
    ).toMatchObject({ number, remarks: [] });
});

test("an export holds the segments and the keys, and the imported home has its whole log", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  await rotateAuditKeyOffline(copy.home);
  await archive(copy.home);
  const before = await verify(copy.home);
  const folder = join(copy.folder, "export");
  const options = { home: copy.home, to: folder, withCredentials: false, version: "test", now: Date.now };
  const { remarks, stateHash } = await exportHome(options);
  const target = join(copy.folder, "imported");
  expect([remarks, await importExport({ home: target, from: folder })]).toMatchObject([[], { stateHash }]);
  expect(await verify(target)).toEqual(before);
});

test("segments count as the audit log, not as blobs", async () => {
  using copy = await homes.copy();
  const options = { now: Date.now(), retention: { deliveryDays: 90, jobDays: 365, usageDays: 400 }, logDays: 30 };
  const sizes = async () => {
    const { kinds } = await measureStorage(copy.home, options);
    return new Map(kinds.map(({ kind, bytes }) => [kind, bytes]));
  };
  const before = await sizes();
  await archive(copy.home);
  const after = await sizes();
  expect(after.get("blobs")).toBe(before.get("blobs") ?? 0);
  const archived = segmentsOf(copy.home).reduce((sum, { size }) => sum + size, 0);
  expect(after.get("audit") ?? 0).toBeGreaterThan(archived);
});

test("a repair does not replace archived rows, and notices a missing row after them", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  expect(await repairHome(copy.home)).toEqual({ copy: null, lost: [], tables: [] });
  const archived = Math.max(...segmentsOf(copy.home).map(({ through }) => through));
  {
    using database = new Database(join(copy.home, "hearth.db"));
    database.run("delete from events where stream like 'audit:%' and offset = ?", [archived + 1]);
  }
  const { lost } = await repairHome(copy.home);
  expect(lost).toMatchObject([{ offset: archived + 1 }]);
});

const python = Bun.which("python3");
const ACCEPTED = "All rows are as they were sealed.\n";

/** Runs the Python verifier on an export or a segment of this home. */
const checkWithPython = async (
  { home, folder }: Sandbox,
  text: string,
  ...words: readonly string[]
): Promise<string> => {
  const script = fileURLToPath(new URL("../../../../../../docs/verify-audit.py", import.meta.url));
  const path = join(folder, "log.jsonl");
  writeFileSync(path, text);
  const child = Bun.spawn([python ?? "", script, path, join(home, "keys/audit.key"), ...words], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return new Response(child.stdout).text();
};

const exportOf = async (home: string): Promise<string> => {
  using log = await openOfflineAuditLog(home);
  const [house] = await log.records();
  return (await Array.fromAsync(log.export(house?.id as HouseId))).join("");
};
const linesOf = (home: string, { blob }: SegmentRow): string =>
  new TextDecoder().decode(Bun.gunzipSync(readFileSync(join(home, blobPath(blob)))));

test.skipIf(python === null)(
  "after two rotations, the Python verifier accepts an export, and older files only on request (skipped without Python)",
  async () => {
    using copy = await homes.copy();
    await archive(copy.home);
    const [oldSegment] = segmentsOf(copy.home);
    const heads = join(copy.home, "audit/heads.json");
    const oldHeads = join(copy.folder, "old-heads.json");
    const older = await exportOf(copy.home);
    writeFileSync(oldHeads, readFileSync(heads));
    const check = (text: string, ...words: readonly string[]) => checkWithPython(copy, text, ...words);
    await rotateAuditKeyOffline(copy.home);
    await rotateAuditKeyOffline(copy.home);
    await archive(copy.home);
    const text = await exportOf(copy.home);
    expect([await check(text, heads), await check(text, heads, oldHeads)]).toEqual([ACCEPTED, ACCEPTED]);
    expect(await check(text, oldHeads)).toContain("The anchor was made with a key that was replaced since");
    for (const lines of [older, linesOf(copy.home, oldSegment as SegmentRow)])
      expect([await check(lines), await check(lines, "--allow-replaced-key")]).toEqual([
        expect.stringContaining("the last one, was sealed with a key that was replaced since"),
        ACCEPTED,
      ]);
    for (const line of text.split("\n").filter((row) => row.includes("key-rotated")))
      expect(await check(text.replace(line, line.replace("key-rotated", "key-rotatee")))).toContain("is different");
    for (const segment of segmentsOf(copy.home).slice(-1))
      expect(await check(linesOf(copy.home, segment), "--allow-replaced-key")).toBe(ACCEPTED);
  },
);

test.skipIf(python === null)(
  "the Python verifier accepts an export and each segment (skipped without Python)",
  async () => {
    using copy = await homes.copy();
    await archive(copy.home);
    const check = (text: string, ...words: readonly string[]) => checkWithPython(copy, text, ...words);
    expect(await check(await exportOf(copy.home), join(copy.home, "audit/heads.json"))).toBe(ACCEPTED);
    for (const segment of segmentsOf(copy.home)) {
      const lines = linesOf(copy.home, segment);
      expect(await check(lines)).toBe(ACCEPTED);
      expect(await check(lines.replace('"at":', '"at":1'))).toContain("Row");
    }
  },
);

test("a lost segment leaves the rest of the log readable", async () => {
  using copy = await homes.copy();
  await archive(copy.home);
  const [first] = segmentsOf(copy.home);
  rmSync(join(copy.home, blobPath(first?.blob ?? "")));
  using log = await openOfflineAuditLog(copy.home);
  const [house] = await log.records();
  expect((await log.page(house?.id as HouseId, 4, 3)).map(({ offset }) => offset)).toEqual([5, 6, 7]);
  expect((await log.search(house?.id as HouseId, { limit: 2 })).rows.length).toBe(2);
});
