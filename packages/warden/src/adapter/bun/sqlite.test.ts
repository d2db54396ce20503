import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { isHearthError } from "@hearth/protocol";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskConformance, type DiskHarness } from "../../kernel/store/conformance/disk.conformance.ts";
import {
  append,
  insert,
  offsetsOf,
  record,
  recordIds,
  testSealer,
} from "../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import { storeConformance } from "../../kernel/store/store.conformance.ts";
import { openSqlite } from "./sqlite.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const newFolder = (): string => mkdtempSync(join(tmpdir(), "hearth-sqlite-"));
const openStore = (path: string) =>
  createSqliteStore({ database: openSqlite(path), clock: { turn, sleep }, sealer: testSealer });

const openWith = (durability: "power" | "process") => async (): Promise<DiskHarness> => {
  const folder = newFolder();
  const path = join(folder, "hearth.db");
  let database = openSqlite(path);
  let store = await createSqliteStore({ database, clock: { turn, sleep }, durability, sealer: testSealer });
  const limit = (pages: number): unknown => database.all(`pragma max_page_count = ${pages}`);
  return {
    store,
    fill: () => limit(1),
    free: () => limit(1_000_000),
    async reopen() {
      await store[Symbol.asyncDispose]();
      database = openSqlite(path);
      store = await createSqliteStore({ database, clock: { turn, sleep }, durability, sealer: testSealer });
      return store;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
};

storeConformance("SQLite on bun", openWith("power"));
diskConformance("SQLite on bun", openWith("power"));
diskConformance("SQLite on bun that leaves syncing to the system", openWith("process"));

describe("a database file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, "hearth.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("is readable for its owner only, and so are SQLite's files next to it", async () => {
    await using store = await openStore(path);
    await store.commit({ writes: [insert(record("a"))] });
    for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
  });

  test("keeps its seal chain across reopening and with two connections", async () => {
    const ids: string[] = [];
    const write = async (store: Awaited<ReturnType<typeof openStore>>): Promise<void> => {
      ids.push(`e${ids.length + 1}`);
      await store.commit({ writes: [append("sealed:a", ids.at(-1) ?? "")] });
    };
    {
      await using first = await openStore(path);
      await using second = await openStore(path);
      for (const store of [first, second, second, first, second, first]) await write(store);
      // A rolled back row is stored nowhere, also after another connection has written.
      const twice = insert(record("a"));
      expect((await first.commit({ writes: [append("sealed:a", "lost"), twice, twice] })).kind).toBe("conflict");
      for (const store of [second, first]) await write(store);
    }
    await using store = await openStore(path);
    await write(store);
    const rows = await store.select({ table: "events", order: [{ column: "offset" }] });
    expect<readonly string[]>(rows.map(({ id }) => id)).toEqual(ids);
    for (const [index, row] of rows.entries())
      expect(row.seal).toBe(testSealer.seal(rows[index - 1]?.seal ?? null, row));
  });

  test("is synced at every commit and waits for locks of other processes", async () => {
    const database = openSqlite(path);
    await using _store = await createSqliteStore({ database, clock: { turn, sleep } });
    const pragma = (name: string): unknown => Object.values(database.all(`pragma ${name}`)[0] ?? {})[0];
    expect(["journal_mode", "synchronous", "foreign_keys", "temp_store", "busy_timeout"].map(pragma)).toEqual([
      "wal",
      2,
      1,
      2,
      5000,
    ]);
  });

  test("is synced only around checkpoints with the durability `process`", async () => {
    const database = openSqlite(path);
    await using store = await createSqliteStore({ database, clock: { turn, sleep }, durability: "process" });
    expect(store.traits.durability).toBe("process");
    expect(database.all("pragma synchronous")).toEqual([{ synchronous: 1 }]);
  });

  test("survives a power cut by default", async () => {
    await using store = await openStore(path);
    expect(store.traits.durability).toBe("power");
  });

  test("is closed completely: no WAL is left, and it can be moved", async () => {
    const store = await openStore(path);
    await store.commit({ writes: [insert(record("a"))] });
    await store.select({ table: "records" });
    await store[Symbol.asyncDispose]();
    expect(() => statSync(`${path}-wal`)).toThrow("ENOENT");
  });

  test("that is not a database is refused and stays unchanged", async () => {
    writeFileSync(path, "not a database, but long enough to look at it ".repeat(50));
    const before = readFileSync(path);
    const error = await openStore(path).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.foreign")).toBe(true);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("in memory leaves no file", async () => {
    await using store = await openStore(":memory:");
    await store.commit({ writes: [insert(record("a"))] });
    expect(await recordIds(store)).toEqual(["a"]);
    expect(existsSync(":memory:")).toBe(false);
  });

  test("in a missing folder is unavailable", () => {
    try {
      openSqlite(join(folder, "nowhere", "hearth.db"));
      expect.unreachable();
    } catch (error) {
      expect(isHearthError(error, "store.unavailable")).toBe(true);
    }
  });

  test("R8: that another process writes to is locked, and works again later", async () => {
    const database = openSqlite(path);
    await using store = await createSqliteStore({ database, clock: { turn, sleep } });
    database.all("pragma busy_timeout = 1");
    const other = openSqlite(path);
    other.run("begin immediate");
    const error = await store.commit({ writes: [insert(record("a"))] }).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.locked")).toBe(true);
    other.run("rollback");
    other.close();
    expect(await store.commit({ writes: [insert(record("a"))] })).toMatchObject({ kind: "committed" });
  });

  test("cut at any frame of its WAL contains all changes up to some point, each whole", async () => {
    const store = await openStore(path);
    for (let index = 0; index < 12; index += 1) {
      await store.commit({
        writes: [insert(record(`${index + 10}`)), append("s", `e${index}`), append("t", `e${index}`)],
      });
    }
    const copy = join(folder, "copy.db");
    const size = statSync(`${path}-wal`).size;
    const seen = new Set<number>();
    for (let at = 32; at <= size; at += 24 + 4096) {
      cpSync(path, copy);
      cpSync(`${path}-wal`, `${copy}-wal`);
      truncateSync(`${copy}-wal`, at);
      // The cut may leave no schema at all; then the store starts empty, which is whole too.
      await using cut = await openStore(copy);
      const ids = await recordIds(cut);
      expect(ids).toEqual(ids.map((_, index) => `${index + 10}`));
      for (const stream of ["s", "t"]) expect(await offsetsOf(cut, stream)).toEqual(ids.map((_, index) => index + 1));
      seen.add(ids.length);
    }
    await store[Symbol.asyncDispose]();
    expect([...seen]).toEqual(Array.from({ length: 13 }, (_, index) => index));
  });

  test("has its log copied on another thread during commits", async () => {
    const database = openSqlite(path);
    await using store = await createSqliteStore({ database, clock: { turn, sleep }, durability: "process" });
    const body = "x".repeat(100_000);
    const write = (id: string) => {
      const { event, ...one } = append("s", id);
      return store.commit({ writes: [{ ...one, event: { ...event, body } }] });
    };
    for (let index = 0; index < 10; index += 1) await write(`e${index}`);
    expect(database.logPages()).toBeGreaterThan(250);
    const copied = database.copyLog();
    let count = 10;
    let isCopied = false;
    void copied.then(() => (isCopied = true));
    while (!isCopied) {
      await write(`e${count}`);
      count += 1;
    }
    // The store copies its long log too, and only one copy can run at a time.
    await until(async () => {
      await database.copyLog();
      return database.logPages() === 0;
    });
    expect((await offsetsOf(store, "s")).length).toBe(count);
    const before = statSync(`${path}-wal`).size;
    await write("last");
    // The log begins again.
    expect(statSync(`${path}-wal`).size).toBe(before);
  });

  test("is closed while its log is copied, and another copy waits", async () => {
    const database = openSqlite(path);
    database.run("create table a (id integer primary key) strict");
    const copies = [database.copyLog(), database.copyLog()];
    database.close();
    expect(await Promise.all([...copies, database.copyLog()])).toEqual([undefined, undefined, undefined]);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("survives a copy of its log that fails", async () => {
    const database = openSqlite(path);
    await using store = await createSqliteStore({ database, clock: { turn, sleep }, durability: "process" });
    await store.commit({ writes: [insert(record("a"))] });
    const other = openSqlite(path);
    other.run("begin");
    other.all("select 1 from records");
    await store.commit({ writes: [insert(record("b"))] });
    await database.copyLog();
    // The reader keeps the last commit in the log.
    expect(database.logPages()).toBeGreaterThan(0);
    other.run("rollback");
    other.close();
    await database.copyLog();
    expect(database.logPages()).toBe(0);
  });

  test("holds every commit that was acknowledged before its process was killed", async () => {
    const script = join(folder, "writer.ts");
    const source = new URL("../../kernel/store/sqlite.ts", import.meta.url).pathname;
    writeFileSync(
      script,
      `import { createSqliteStore } from ${JSON.stringify(source)};
       import { openSqlite } from ${JSON.stringify(new URL("./sqlite.ts", import.meta.url).pathname)};
       const clock = { turn: () => new Promise((resolve) => setImmediate(resolve)) };
       const store = await createSqliteStore({ database: openSqlite(${JSON.stringify(path)}), clock });
       for (let index = 1; ; index += 1) {
         const event = { id: "e" + index, type: "message", at: 0, body: "x", blob: null };
         await store.commit({ writes: [{ kind: "append", stream: "s", event }] });
         process.stdout.write(index + "\\n");
       }`,
    );
    const writer = Bun.spawn([process.execPath, "--no-install", script], { stdout: "pipe", stderr: "inherit" });
    const decoder = new TextDecoder();
    let said = "";
    for await (const bytes of writer.stdout) {
      said += decoder.decode(bytes, { stream: true });
      if (said.length > 1000) writer.kill("SIGKILL");
    }
    await writer.exited;
    const acknowledged = Number(said.slice(0, said.lastIndexOf("\n")).split("\n").at(-1));
    await using store = await openStore(path);
    expect(acknowledged).toBeGreaterThan(100);
    expect((await offsetsOf(store, "s")).length).toBeGreaterThanOrEqual(acknowledged);
  });
});
