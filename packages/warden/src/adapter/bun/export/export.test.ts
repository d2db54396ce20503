/** Exports and imports of a home: contents, credentials, damage, and interruption. */
import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
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
import { createHomes, failure, LONG, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import { prepareSchema } from "../../../kernel/store/schema.ts";
import type { Table } from "../../../kernel/store/tables/table.ts";
import { tables } from "../../../kernel/store/tables/tables.ts";
import { createInterruptedDisk } from "../backup/interrupted-disk.ts";
import { interruptFills } from "../backup/interruptions.ts";
import { type BackupDisk, createBackupDisk } from "../backup/backup-disk.ts";
import { seal } from "../backup/manifest.ts";
import { openSnapshot } from "../backup/snapshot.ts";
import { openHome, RESTORED, RESTORING } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import {
  addKeyFiles,
  CREDENTIAL,
  filesContaining,
  filesIn,
  fillTables,
  rowsOf,
  runExport,
  runImport,
} from "./export-fixtures.ts";
import { exportedFiles, type ExportManifest, INCOMPLETE, MANIFEST, readExport } from "./export-manifest.ts";
import { importExport } from "./import-export.ts";
import { interruptExports } from "./interrupt-exports.ts";
import { hashOf, linesOf, stateHash } from "./table-files.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

/** `npm run test:long` ends exports and imports at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 60 : 1;

const exportOf = (box: Sandbox): string => join(box.folder, "export");
const importOf = (box: Sandbox): string => join(box.folder, "imported");

/** A home with rows in every table, files that hold keys, and a workspace with a link. */
const openFull = async (): Promise<Sandbox> => {
  const box = await homes.copy();
  fillTables(box.home);
  addKeyFiles(box.home);
  const workspace = join(box.home, "brains/main/workspace");
  mkdirSync(join(workspace, "empty"), { recursive: true });
  symlinkSync("/etc", join(workspace, "etc"));
  writeFileSync(join(workspace, "run.sh"), "true\n", { mode: 0o755 });
  return box;
};

describe("an export", () => {
  test("has every table, brains, long texts, the config, and pages for people", async () => {
    using box = await openFull();
    const report = await runExport(box);
    expect(report).toMatchObject({ house: "home", hasCredentials: false, folder: exportOf(box) });
    const paths = filesIn(exportOf(box));
    for (const [name, { credentials, describesFile }] of Object.entries<Table>(tables))
      expect([name, paths.includes(`tables/${name}.jsonl`)]).toEqual([
        name,
        credentials !== "rows" && describesFile !== true,
      ]);
    for (const path of ["home/hearth.toml", "home/keys/audit.key", "home/audit/heads.json", "home/brains/main/SOUL.md"])
      expect(paths).toContain(path);
    expect(paths.some((path) => /^blobs\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(path))).toBe(true);
    const [page = ""] = paths.filter((path) => /^rooms\/home\/main\/\d{4}-\d\d-\d\d\.md$/.test(path));
    const text = readFileSync(join(exportOf(box), page), "utf8");
    expect(text).toMatch(/^# main, \d{4}-\d\d-\d\d\n\nTimes are UTC\.\n\n\*\*\d\d:\d\d:\d\d owner\*\*\n\nhello\n/);
    expect(text).toContain(LONG);
    expect([existsSync(join(exportOf(box), INCOMPLETE)), paths.includes(MANIFEST)]).toEqual([false, true]);
    const listed = exportedFiles(await readExport(exportOf(box))).map(({ path }) => path);
    expect(paths.filter((path) => path !== MANIFEST)).toEqual(listed.toSorted());
  });

  test("prints a state hash that the documented command computes from its files", async () => {
    using box = await openFull();
    const { stateHash: hash } = await runExport(box);
    const command = "cd tables && ls | LC_ALL=C sort | xargs sha256sum | sha256sum";
    expect(readFileSync(join(exportOf(box), "README.md"), "utf8")).toContain(command);
    const computed = Bun.spawnSync(["sh", "-c", command], { cwd: exportOf(box) });
    expect(computed.stdout.toString()).toBe(`${hash}  -\n`);
  });

  test("contains no credential unless it is requested", async () => {
    using box = await openFull();
    const report = await runExport(box);
    expect(filesContaining(exportOf(box), CREDENTIAL)).toEqual([]);
    expect(existsSync(join(box.home, "cache/export"))).toBe(false);
    const to = join(box.folder, "whole");
    const whole = await runExport(box, { to, withCredentials: true });
    expect([whole.hasCredentials, whole.stateHash]).toEqual([true, report.stateHash]);
    const toCredentials = (name: string) => `credentials/${name}.jsonl`;
    expect(filesContaining(to, CREDENTIAL)).toEqual([
      ...["approvals", "identities", "key_uses", "keys", "logins", "passkeys", "passwords"].map(toCredentials),
      ...["push_devices", "recovery_codes", "second_factors", "senders", "signing_keys", "subscriptions"].map(
        toCredentials,
      ),
      ...["egress/authority.key", "keys/openai", "vault/1.key"].map((path) => `home/${path}`),
    ]);
  });

  test("into a folder with other files or an export is refused, and into the home", async () => {
    using box = await homes.copy();
    const to = exportOf(box);
    mkdirSync(to);
    writeFileSync(join(to, "thesis.txt"), "mine");
    expect(await failure(runExport(box))).toMatchObject({ code: "backup.foreign" });
    expect(readdirSync(to)).toEqual(["thesis.txt"]);
    rmSync(to, { recursive: true });
    await runExport(box);
    expect(await failure(runExport(box))).toMatchObject({ message: expect.stringContaining("an export already") });
    const inside = runExport(box, { to: join(box.home, "export") });
    expect(await failure(inside)).toMatchObject({ code: "backup.foreign" });
  });

  test("shows edited, deleted and damaged messages as people see them", async () => {
    using box = await homes.copy();
    using database = new Database(join(box.home, "hearth.db"));
    const rows = database
      .query<{ stream: string; id: string; body: string | null }, []>(
        "select stream, id, body from events where stream like 'room:%' and type = 'message' order by offset",
      )
      .all();
    const [first, second] = rows;
    const stream = first?.stream ?? "";
    const add = (offset: number, type: string, more: object): void =>
      void database.run(
        "insert into events (stream, offset, id, type, at, body) select ?, head + ?, ?, ?, 5, ? from heads where stream = ?",
        [stream, offset, `e${offset}`, type, JSON.stringify({ type, at: 5, by: "agent_x", ...more }), stream],
      );
    add(1, "message-edited", { message: first?.id, body: { format: "markdown", text: "hello again" } });
    add(2, "message-deleted", { message: second?.id });
    add(3, "activation-failed", { agent: "agent_x", error: { code: "provider.auth", message: "No key." } });
    const file = { id: "upload_x", hash: "0".repeat(64), sizeBytes: 12, name: "cat.png", type: "image/png" };
    add(4, "message", { author: "agent_y", body: { format: "markdown", text: "look" }, attachments: [file] });
    const message = "e4";
    add(5, "message-reacted", { by: "agent_z", message, emoji: "👍", isOn: true });
    add(6, "message-reacted", { by: "agent_z", message, emoji: "🔥", isOn: true });
    add(7, "message-reacted", { by: "agent_z", message, emoji: "🔥", isOn: false });
    database.run("update heads set head = head + 7 where stream = ?", [stream]);
    database.run("update events set blob = null, body = null where blob is not null");
    await runExport(box);
    const pages = filesIn(join(exportOf(box), "rooms/home/main"));
    const text = pages.map((path) => readFileSync(join(exportOf(box), "rooms/home/main", path), "utf8")).join("");
    expect(text).toContain("owner** (edited)\n\nhello again\n");
    expect(text).toContain("main** deleted this message.");
    expect(text).toContain("This message is damaged and cannot be shown.");
    expect(text).toContain("# main, 1970-01-01\n\nTimes are UTC.\n\n**00:00:00 agent_x** could not answer: No key.\n");
    expect(text).toContain('agent_y**\n\nlook\n[file "cat.png": image/png, 12 bytes]\n\nReactions: 👍 agent_z\n');
  });
});

describe("an import", () => {
  test("of an export with credentials has every row and file, and the same state hash", async () => {
    using box = await openFull();
    const report = await runExport(box, { withCredentials: true });
    const outcome = await runImport(box);
    expect(outcome).toMatchObject({ kind: "imported", stateHash: report.stateHash, rows: report.rows, house: "home" });
    const [before, after] = [rowsOf(box.home), rowsOf(importOf(box))];
    expect({ ...after, generations: [] }).toEqual({ ...before, generations: [] });
    expect(after["generations"]).toEqual([]);
    for (const path of ["hearth.toml", "vault/1.key", "keys/audit.key", "brains/main/workspace/run.sh"]) {
      const [first, second] = [join(box.home, path), join(importOf(box), path)];
      expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
      expect([path, statSync(second).mode]).toEqual([path, statSync(first).mode]);
    }
    expect(readdirSync(join(importOf(box), "brains/main/workspace"))).toEqual(
      expect.arrayContaining(["empty", "etc", "run.sh"]),
    );
    expect(readFileSync(join(importOf(box), RESTORED), "utf8")).toContain(exportOf(box));
    const again = await runExport(box, { home: importOf(box), to: join(box.folder, "again"), withCredentials: true });
    expect(again.stateHash).toBe(report.stateHash);
  });

  test("without credentials has all other rows, and a fresh value where one is required", async () => {
    using box = await openFull();
    const report = await runExport(box);
    expect(await runImport(box)).toMatchObject({ stateHash: report.stateHash, hasCredentials: false });
    expect(filesContaining(importOf(box), CREDENTIAL)).toEqual([]);
    const rows = rowsOf(importOf(box));
    for (const name of ["keys", "logins", "passwords", "signing_keys"]) expect([name, rows[name]]).toEqual([name, []]);
    const secrets = (rows["subscriptions"] ?? []).map((row) => (row as { readonly secret: string }).secret);
    expect(secrets).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(secrets).size).toBe(2);
  });

  test("names every damaged or missing file, and takes nothing", async () => {
    using box = await homes.copy();
    await runExport(box, { withCredentials: true });
    const faults = ["missing", "damaged"] as const;
    for (const [index, path] of filesIn(exportOf(box)).entries())
      // Each file in one of the two ways, except in `npm run test:long`.
      for (const fault of EVERY === 1 ? faults : faults.slice(index % 2).slice(0, 1)) {
        if (path === MANIFEST) continue;
        const file = join(exportOf(box), path);
        const bytes = readFileSync(file);
        if (fault === "missing") rmSync(file);
        else writeFileSync(file, Buffer.concat([bytes, Buffer.from("x")]));
        expect(await runImport(box)).toEqual({ kind: "damaged", problems: [{ path, fault }] as never });
        expect(existsSync(importOf(box))).toBe(false);
        writeFileSync(file, bytes);
      }
    const manifest = join(exportOf(box), MANIFEST);
    const bytes = readFileSync(manifest);
    for (const at of [1, bytes.length >> 1, bytes.length - 2]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(manifest, changed);
      expect(await failure(runImport(box))).toMatchObject({ code: "backup.damaged" });
    }
    rmSync(manifest);
    expect(await failure(runImport(box))).toMatchObject({ code: "backup.not-found" });
    expect(existsSync(importOf(box))).toBe(false);
  });

  test("of a folder that does not exist is reported before anything about the home", async () => {
    using box = await homes.copy();
    const nowhere = join(box.home, "nowhere");
    expect(await failure(importExport({ home: box.home, from: nowhere }))).toMatchObject({
      code: "backup.not-found",
      message: `There is no folder ${nowhere}.`,
    });
  });

  test("into a folder with anything in it is refused", async () => {
    using box = await homes.copy();
    await runExport(box);
    expect(await failure(runImport(box, { home: box.home }))).toMatchObject({ code: "home.foreign" });
  });

  test("of an export of an older Hearth gives its schema, which a start then updates", async () => {
    using box = await homes.copy();
    const manifest = await exportOfSchema(box, OLDER);
    expect(await runImport(box)).toMatchObject({ kind: "imported", stateHash: manifest.stateHash });
    const database = openSqlite(join(importOf(box), "hearth.db"));
    expect(database.all("pragma user_version")).toEqual([{ user_version: OLDER }]);
    await prepareSchema(database);
    expect(database.all("select external from inbound")).toEqual([{ external: "x" }]);
    database.close();
  });

  test("of an export of a newer Hearth is refused", async () => {
    using box = await homes.copy();
    await runExport(box);
    const manifest = await readExport(exportOf(box));
    const newer = { ...manifest, schema: migrations.length + 1 };
    writeFileSync(join(exportOf(box), MANIFEST), seal(newer));
    expect(await failure(runImport(box))).toMatchObject({ code: "store.foreign" });
    writeFileSync(join(exportOf(box), MANIFEST), seal({ ...manifest, format: 2 }));
    expect(await failure(runImport(box))).toMatchObject({ message: expect.stringContaining("newer Hearth") });
  });

  test("of rows that do not fit their table names the line, and leaves no home that starts", async () => {
    using box = await homes.copy();
    await runExport(box);
    const manifest = await readExport(exportOf(box));
    const file = join(exportOf(box), "tables/records.jsonl");
    const rows = readFileSync(file, "utf8");
    for (const line of [rows.split("\n")[0] ?? "", '{"id":1}', "[]", "no JSON", '{"id":{}}']) {
      const text = `${rows}${line}\n`;
      writeFileSync(file, text);
      const change = {
        hash: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
        sizeBytes: Buffer.byteLength(text),
      };
      const changed = manifest.tables.map((table) => (table.name === "records" ? { ...table, ...change } : table));
      writeFileSync(join(exportOf(box), MANIFEST), seal({ ...manifest, tables: changed }));
      const error = await failure(runImport(box));
      expect(error).toMatchObject({
        code: "backup.damaged",
        message: expect.stringMatching(/records\.jsonl, line \d+,/),
      });
      expect(() => openHome(importOf(box))).toThrow("was interrupted");
    }
    writeFileSync(file, rows);
    writeFileSync(join(exportOf(box), MANIFEST), seal({ ...manifest, stateHash: "0".repeat(64) }));
    expect(await failure(runImport(box))).toMatchObject({ message: expect.stringContaining("state hash") });
  });
});

const OLDER = 24;

/** Writes an export whose tables have the schema of an earlier step. */
const exportOfSchema = async (box: Sandbox, schema: number): Promise<ExportManifest> => {
  await runExport(box);
  const manifest = await readExport(exportOf(box));
  const path = join(box.folder, "older.db");
  const database = openSqlite(path);
  await prepareSchema(database, migrations.slice(0, schema));
  database.run(
    "insert into inbound (channel, external, at, conversation, message, sender, fate) values ('c', 'x', 1, 'v', 'm', 's', 'accepted')",
  );
  const columnsOf = (name: string) => database.all(`select name, pk from pragma_table_info('${name}') order by cid`);
  const older = manifest.tables.map(({ name, key }) => ({
    name,
    key,
    columns: columnsOf(name).map((column) => String(column["name"])),
  }));
  database.close();
  rmSync(join(exportOf(box), "tables"), { recursive: true });
  mkdirSync(join(exportOf(box), "tables"));
  using snapshot = openSnapshot(path);
  const rows = older
    .filter(({ columns }) => columns.length > 0)
    .map((table) => {
      const text = Buffer.concat([...linesOf(snapshot, table)]);
      writeFileSync(join(exportOf(box), `tables/${table.name}.jsonl`), text);
      return { ...table, rows: 0, sizeBytes: text.length, hash: hashOf(snapshot, table) };
    });
  const changed = { ...manifest, schema, tables: rows, stateHash: stateHash(rows) };
  writeFileSync(join(exportOf(box), MANIFEST), seal(changed));
  return changed;
};

describe("an interruption", () => {
  test("of an export at any operation leaves one that says so or a complete one, and it can be run again", async () => {
    using box = await homes.copy();
    await interruptExports(box, EVERY);
  }, 300_000);

  test("of an import at any operation leaves no home that starts, and it can be run again", async () => {
    using box = await homes.copy();
    const { stateHash: hash } = await runExport(box);
    await interruptFills({
      home: importOf(box),
      stepSize: EVERY,
      fill: (disk) => runImport(box, { disk }),
      async isWhole(home) {
        const to = join(box.folder, "check");
        rmSync(to, { recursive: true, force: true });
        return (await runExport(box, { home, to })).stateHash === hash;
      },
    });
  }, 300_000);

  test("of an import leaves a home that says so", async () => {
    using box = await homes.copy();
    await runExport(box);
    await failure(runImport(box, { disk: createInterruptedDisk(9, "done") }));
    expect(existsSync(join(importOf(box), RESTORING))).toBe(true);
    expect(() => openHome(importOf(box))).toThrow("The restore or import into");
  });

  test("of files that cannot be read back as they were written makes no export", async () => {
    using box = await homes.copy();
    const disk = createBackupDisk();
    const write: BackupDisk["write"] = async (path, chunks) => {
      const digest = await disk.write(path, chunks);
      if (path.endsWith("records.jsonl")) writeFileSync(path, "changed");
      return digest;
    };
    expect(await failure(runExport(box, { disk: { ...disk, write } }))).toMatchObject({
      code: "backup.damaged",
      message: expect.stringContaining("tables/records.jsonl"),
    });
    expect(existsSync(join(exportOf(box), INCOMPLETE))).toBe(true);
  });
});
