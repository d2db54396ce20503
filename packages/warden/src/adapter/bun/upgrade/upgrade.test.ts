/** Updates of a home's database: what is shown, what is checked, interruption, and the way back. */
import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHomes, failure, type Sandbox } from "../../../fixtures/home-on-disk.ts";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import type { SchemaStep } from "../../../kernel/store/migrations/step.ts";
import { createInterruptedDisk, Interrupted } from "../backup/interrupted-disk.ts";
import { openHome, RESTORING } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import { planUpgrade } from "./plan.ts";
import { planRollback, rollBack } from "./rollback.ts";
import { reportUpdate } from "./update-report.ts";
import { upgradeHome } from "./upgrade.ts";

const homes = createHomes();
afterAll(() => homes[Symbol.dispose]());

const PAGE_BYTES = 4096;
const NOW = 1_800_000_000_000;
const now = () => NOW;
const newer = (...statements: readonly string[]): readonly SchemaStep[] => [
  ...migrations,
  { name: "9999-more", statements: ["create table extra (id text primary key) strict", ...statements] },
];
const steps = newer();

/** The path and the bytes of every file of a home, except those that the lock creates. */
const contentsOf = (home: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith("run") && statSync(join(home, path)).isFile())
      .map((path) => [path, readFileSync(join(home, path)).toString("base64")]),
  );
const schemaIn = (home: string): number => {
  using database = new Database(join(home, "hearth.db"));
  return database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;
};
const countIn = (home: string, rows: string): number => {
  using database = new Database(join(home, "hearth.db"));
  return database.query<{ count: number }, []>(`select count(*) as count from ${rows}`).get()?.count ?? 0;
};
const change = (home: string, ...statements: readonly string[]): void => {
  using database = new Database(join(home, "hearth.db"));
  for (const statement of statements) database.run(statement);
};
const hasExtra = (home: string): boolean => countIn(home, "sqlite_schema where name = 'extra'") === 1;
const upgrade = ({ home }: Sandbox, more: Partial<Parameters<typeof upgradeHome>[0]> = {}) =>
  upgradeHome({ home, steps, now, ...more });

describe("a check", () => {
  test("says what an update would do, and changes nothing", async () => {
    using box = await homes.copy();
    change(box.home, "update activations set ended_at = null, state = 'queued'");
    const before = contentsOf(box.home);
    const plan = planUpgrade({ home: box.home, steps });
    const bytes = statSync(join(box.home, "hearth.db")).size;
    expect(plan).toMatchObject({ from: migrations.length, to: steps.length, steps: ["9999-more"], problems: [] });
    expect(plan).toMatchObject({ copyBytes: bytes, neededBytes: 3 * bytes + 16 * 1024 * 1024, openTurns: 2 });
    expect([plan.freeBytes > 0, plan.estimatedMs > 0]).toEqual([true, true]);
    expect(contentsOf(box.home)).toEqual(before);
    expect(planUpgrade({ home: box.home })).toMatchObject({ steps: [], copyBytes: 0, neededBytes: 0, estimatedMs: 0 });
  });

  test("of the next start names the installed version and the copy from before the last update", async () => {
    using box = await homes.copy();
    const installed = expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown as string;
    const report = reportUpdate(box.home);
    expect(report).toMatchObject({
      installed,
      from: migrations.length,
      to: migrations.length,
      steps: [],
      problems: [],
    });
    expect(report.copy).toBeUndefined();
  });

  test("reads the log of a killed house, and leaves it", async () => {
    using box = await homes.copy();
    const path = join(box.home, "hearth.db");
    using database = new Database(path);
    database.run("pragma journal_mode = wal");
    database.run("pragma wal_autocheckpoint = 0");
    database.run("update activations set ended_at = null, state = 'queued'");
    const log = readFileSync(`${path}-wal`);
    expect(log.length).toBeGreaterThan(0);
    expect(planUpgrade({ home: box.home, steps }).openTurns).toBe(2);
    expect(readFileSync(`${path}-wal`)).toEqual(log);
  });

  test("names what prevents the update", async () => {
    using box = await homes.copy();
    const path = join(box.home, "hearth.db");
    const before = readFileSync(path);
    truncateSync(path, before.length - PAGE_BYTES);
    expect(await failure(upgrade(box))).toMatchObject({ code: "store.damaged" });
    const damaged = Buffer.from(before);
    const at = before.lastIndexOf('"hello"');
    damaged.fill(0xff, at - (at % PAGE_BYTES), at - (at % PAGE_BYTES) + PAGE_BYTES);
    writeFileSync(path, damaged);
    const { problems } = planUpgrade({ home: box.home, steps });
    expect(problems.length).toBe(1);
    expect(problems[0]).toContain("hearth repair");
    expect(await failure(upgrade(box))).toMatchObject({ message: expect.stringContaining("cannot be updated") });
    writeFileSync(path, before);
    change(box.home, `pragma user_version = ${steps.length + 1}`);
    expect(() => planUpgrade({ home: box.home, steps })).toThrow("knows only");
    writeFileSync(join(box.home, RESTORING), "{}");
    expect(() => planUpgrade({ home: box.home, steps })).toThrow("was interrupted");
    expect(() => planUpgrade({ home: box.folder, steps })).toThrow("has no hearth.db");
    expect(existsSync(join(box.folder, "run"))).toBe(false);
  });
});

describe("an update", () => {
  test("copies the database first, and checks the result", async () => {
    using box = await homes.copy();
    const events = countIn(box.home, "events");
    const report = await upgrade(box);
    const copy = join(box.home, `copies/hearth-schema-${migrations.length}-${NOW}.db`);
    expect(report).toMatchObject({ from: migrations.length, to: steps.length, copy, openTurns: 0 });
    expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ["database pages", true],
      ["streams", true],
      ["contents", true],
    ]);
    expect([hasExtra(box.home), countIn(box.home, "events"), existsSync(copy)]).toEqual([true, events, true]);
    expect(await upgrade(box)).toMatchObject({ copy: null, checks: [] });
    openHome(box.home).release();
  });

  test("whose result fails the check is replaced by the copy", async () => {
    using box = await homes.copy();
    const events = countIn(box.home, "events");
    const lossy = newer("delete from events where offset = 1");
    const error = await failure(upgrade(box, { steps: lossy }));
    expect(error).toMatchObject({ code: "store.damaged", message: expect.stringContaining("replaced by the copy") });
    expect([hasExtra(box.home), countIn(box.home, "events"), schemaIn(box.home)]).toEqual([
      false,
      events,
      migrations.length,
    ]);
  });

  test("that fails leaves the database as it was", async () => {
    using box = await homes.copy();
    expect(String(await failure(upgrade(box, { steps: newer("no sql") })))).toContain("syntax");
    expect([hasExtra(box.home), schemaIn(box.home)]).toEqual([false, migrations.length]);
  });

  test("is refused while the house runs", async () => {
    using box = await homes.copy();
    const running = openHome(box.home);
    expect(await failure(upgrade(box))).toMatchObject({ code: "home.in-use" });
    expect(await failure(rollBack({ home: box.home, now }))).toMatchObject({ code: "backup.not-found" });
    running.release();
  });

  test("that ends at any statement leaves the old or the new database, and can be run again", async () => {
    using box = await homes.copy();
    const events = countIn(box.home, "events");
    const original = readFileSync(join(box.home, "hearth.db"));
    let isOver = false;
    for (let at = 0; !isOver; at += EVERY) {
      const ended = await failure(upgrade(box, { open: (path) => interrupted(openSqlite(path), at) }));
      isOver = !(ended instanceof Interrupted);
      expect([at, hasExtra(box.home), countIn(box.home, "events")]).toEqual([
        at,
        schemaIn(box.home) === steps.length,
        events,
      ]);
      await upgrade(box);
      expect([at, hasExtra(box.home), countIn(box.home, "events")]).toEqual([at, true, events]);
      writeFileSync(join(box.home, "hearth.db"), original);
    }
  });
});

/** `npm run test:long` ends updates and rollbacks at every operation. */
const EVERY = process.env["HEARTH_WHOLE"] === undefined ? 9 : 1;

/** Ends at one statement: none after it runs. An open transaction is rolled back, as after SIGKILL. */
const interrupted = (database: SqlDatabase, at: number): SqlDatabase => {
  let count = 0;
  const step = <Result>(work: () => Result): Result => {
    if (count === at) throw new Interrupted(`statement ${at}`);
    count += 1;
    return work();
  };
  return {
    ...database,
    run: (sql, parameters) => (sql === "rollback" ? "done" : step(() => database.run(sql, parameters))),
    all: (sql, parameters) => step(() => database.all(sql, parameters)),
  };
};

describe("a rollback", () => {
  const LATER = NOW + 60_000;
  const say = (home: string): void =>
    change(
      home,
      `insert into events (stream, offset, id, type, at, body) select stream, head + 1, 'later', 'message', ${LATER}, '{}' from heads where stream like 'room:%'`,
      "update heads set head = head + 1 where stream like 'room:%'",
    );

  test("says what would be lost, and goes back by one command", async () => {
    using box = await homes.copy();
    const events = countIn(box.home, "events");
    await upgrade(box);
    say(box.home);
    const added = countIn(box.home, "events") - events;
    const before = contentsOf(box.home);
    const plan = planRollback(box.home);
    expect(plan).toMatchObject({ from: steps.length, to: migrations.length, copiedAt: NOW });
    expect(plan.lost).toEqual({ messages: added, events: added, turns: 0 });
    expect(contentsOf(box.home)).toEqual(before);
    const report = await rollBack({ home: box.home, now: () => LATER });
    expect(report).toMatchObject(plan);
    expect([hasExtra(box.home), countIn(box.home, "events")]).toEqual([false, events]);
    using kept = new Database(report.kept);
    expect(kept.query("select count(*) as count from events").get()).toEqual({ count: events + added });
    expect(await failure(rollBack({ home: box.home, now }))).toMatchObject({ code: "backup.not-found" });
    expect(await upgrade(box, { now: () => LATER + 1 })).toMatchObject({ to: steps.length });
  });

  test("takes the log of a killed house into the database that it keeps", async () => {
    using box = await homes.copy();
    await upgrade(box);
    change(box.home, "pragma journal_mode = wal");
    const path = join(box.home, "hearth.db");
    const files = ["", "-wal", "-shm"].map((end) => path + end);
    let killed: readonly Buffer[] = [];
    {
      using database = new Database(path);
      database.run("pragma wal_autocheckpoint = 0");
      database.run("insert into extra (id) values ('in the log')");
      killed = files.map((file) => readFileSync(file));
    }
    for (const [index, file] of files.entries()) writeFileSync(file, killed[index] ?? "");
    const { kept } = await rollBack({ home: box.home, now: () => LATER });
    using database = new Database(kept);
    expect(database.query("select id from extra").all()).toEqual([{ id: "in the log" }]);
    expect([hasExtra(box.home), existsSync(`${path}-wal`)]).toEqual([false, false]);
  });

  test("to a damaged copy is refused, and changes nothing", async () => {
    using box = await homes.copy();
    const { copy } = await upgrade(box);
    truncateSync(copy ?? "", statSync(copy ?? "").size - PAGE_BYTES);
    const error = await failure(rollBack({ home: box.home, now: () => LATER }));
    expect(error).toMatchObject({ code: "store.damaged" });
    expect(hasExtra(box.home)).toBe(true);
  });

  test("that ends at any operation leaves one of the two databases, and can be run again", async () => {
    using box = await homes.copy();
    await upgrade(box);
    say(box.home);
    const events = countIn(box.home, "events");
    const added = planRollback(box.home).lost.events;
    const original = readFileSync(join(box.home, "hearth.db"));
    let isOver = false;
    for (let at = 0; !isOver; at += 1)
      for (const extent of ["done", "half done"] as const) {
        const disk = createInterruptedDisk(at, extent);
        const ended = await failure(rollBack({ home: box.home, now: () => LATER, disk }));
        const where = `${extent}: ${disk.operations[at]}`;
        isOver ||= !(ended instanceof Interrupted);
        const isBack = !hasExtra(box.home);
        expect({ where, events: countIn(box.home, "events") }).toEqual({
          where,
          events: isBack ? events - added : events,
        });
        if (!isBack) await rollBack({ home: box.home, now: () => LATER + 1 });
        expect({ where, events: countIn(box.home, "events") }).toEqual({ where, events: events - added });
        writeFileSync(join(box.home, "hearth.db"), original);
        for (const name of readdirSync(join(box.home, "copies")))
          if (name.startsWith(`hearth-schema-${steps.length}-`)) rmSync(join(box.home, "copies", name));
        mkdirSync(join(box.home, "copies"), { recursive: true });
        if (isOver || !disk.endsInWrite()) break;
      }
  });
});
