/**
 * What only SQLite has: grouping, failing statements, and failures between begin and commit. The
 * suites cover the contract.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { DiskFullError, type SqlDatabase } from "./database.ts";
import { append, insert, record, recordIds, testSealer } from "./conformance/rows.conformance.ts";
import { createSqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

describe("the store on SQLite", () => {
  let statements: string[];
  /** Statements that fail like a disk. */
  let failing: Set<string>;
  let database: SqlDatabase;
  let store: Store;

  beforeEach(async () => {
    statements = [];
    failing = new Set();
    const inner = openSqlite(":memory:");
    database = {
      ...inner,
      run(sql, parameters) {
        statements.push(sql);
        if (failing.has(sql)) throw new HearthError("store.unavailable", "the disk is gone");
        return inner.run(sql, parameters);
      },
      setSync(mode) {
        statements.push(`sync ${mode}`);
        inner.setSync(mode);
      },
    };
    store = await createSqliteStore({ database, clock: { turn, sleep }, sealer: testSealer });
    statements = [];
  });
  afterEach(async () => {
    failing.clear();
    await store[Symbol.asyncDispose]();
  });
  const count = (sql: string): number => statements.filter((statement) => statement === sql).length;

  test("writes commits without a sync to the disk when work rests", async () => {
    let count = 0;
    database.syncLog = async () => void (count += 1);
    await store.commit({ writes: [insert(record("r1"))] });
    await store.waitUntilIdle();
    expect(count).toBe(0);
    await store.commit({ writes: [insert(record("r2"))], isReproducible: true });
    await store.waitUntilIdle();
    await store.waitUntilIdle();
    expect(count).toBe(1);
    await store.texts.write([]);
    await store.waitUntilIdle();
    expect(count).toBe(2);
    await store.commit({ writes: [insert(record("r3"))], isReproducible: true });
    // The sync of this commit covers the one before.
    await store.commit({ writes: [insert(record("r4"))] });
    await store.waitUntilIdle();
    expect(count).toBe(2);
  });

  describe("a long write-ahead log", () => {
    let pages: number;
    let copies: PromiseWithResolvers<void>[];
    const isWaiting = async (work: Promise<void>): Promise<boolean> =>
      Promise.race([work.then(() => false), turn().then(() => true)]);

    beforeEach(() => {
      [pages, copies] = [0, []];
      database.logPages = () => pages;
      database.copyLog = () => {
        const copy = Promise.withResolvers<void>();
        copies.push(copy);
        return copy.promise;
      };
    });

    test("is copied beside the commits, once at a time, and work that can wait waits for it", async () => {
      pages = 1999;
      await store.commit({ writes: [insert(record("r1"))] });
      await store.waitUntilIdle();
      expect(copies.length).toBe(0);
      pages = 2000;
      await store.commit({ writes: [insert(record("r2"))] });
      await store.commit({ writes: [insert(record("r3"))] });
      expect([copies.length, await isWaiting(store.waitUntilIdle())]).toEqual([1, true]);
      copies[0]?.resolve();
      await store.waitUntilIdle();
      await store.commit({ writes: [insert(record("r4"))] });
      expect([copies.length, await isWaiting(store.waitUntilIdle())]).toEqual([2, true]);
      copies[1]?.resolve();
    });

    test("of words of messages is copied too", async () => {
      pages = 2000;
      await store.texts.write([]);
      expect(copies.length).toBe(1);
      copies[0]?.resolve();
    });

    test("of returned space is copied too, and a scrub and closing wait for the copy", async () => {
      pages = 2000;
      await store.shrink(8);
      expect(copies.length).toBe(1);
      statements = [];
      const scrubbed = store.scrub().catch(() => {});
      expect(await isWaiting(scrubbed)).toBe(true);
      const closed = store[Symbol.asyncDispose]() as Promise<void>;
      expect(await isWaiting(closed)).toBe(true);
      copies[0]?.resolve();
      await closed;
    });
  });

  test("concurrent changes share one transaction, up to 256 of them", async () => {
    await Promise.all(
      Array.from({ length: 256 }, (_, index) => store.commit({ writes: [insert(record(`r${index}`))] })),
    );
    expect([count("begin immediate"), count("commit"), count("savepoint change")]).toEqual([1, 1, 0]);
    await Promise.all(
      Array.from({ length: 257 }, (_, index) => store.commit({ writes: [insert(record(`s${index}`))] })),
    );
    expect([count("begin immediate"), count("commit")]).toEqual([3, 3]);
  });

  test("a conflict in a group undoes only its change, and the group begins again with savepoints", async () => {
    const changes = [
      { writes: [append("sealed:a", "e1")] },
      { writes: [insert(record("lost")), append("sealed:a", "lost"), insert(record("r1")), insert(record("r1"))] },
      { writes: [append("sealed:a", "e2")] },
    ];
    const results = await Promise.all(changes.map((change) => store.commit(change)));
    expect(results.map(({ kind }) => kind)).toEqual(["committed", "conflict", "committed"]);
    expect([count("savepoint change"), count("rollback"), count("commit")]).toEqual([3, 1, 1]);
    const rows = await store.select({ table: "events", order: [{ column: "offset" }] });
    expect<unknown>(rows.map(({ offset, id }) => [offset, id])).toEqual([
      [1, "e1"],
      [2, "e2"],
    ]);
    expect(rows[1]?.seal).toBe(testSealer.seal(rows[0]?.seal ?? null, rows[1] as (typeof rows)[number]));
    expect(await recordIds(store)).toEqual([]);
  });

  test("a refused change of a group needs no savepoint", async () => {
    const guard = { kind: "exists", table: "records", where: { id: "none" } } as const;
    const results = await Promise.all([
      store.commit({ writes: [insert(record("r1"))] }),
      store.commit({ guards: [guard], writes: [insert(record("lost"))] }),
      store.commit({ writes: [insert(record("r2"))] }),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(["committed", "refused", "committed"]);
    expect([await recordIds(store), count("savepoint change"), count("begin immediate")]).toEqual([["r1", "r2"], 0, 1]);
  });

  test("a change that may wait shares the transaction of the next one, in call order", async () => {
    const first = store.commit({ writes: [insert(record("r1"))], mayWait: true });
    await turn();
    await turn();
    expect(count("commit")).toBe(0);
    const second = store.commit({ writes: [insert(record("r1"))] });
    expect([await first, await second].map(({ kind }) => kind)).toEqual(["committed", "conflict"]);
    expect(count("commit")).toBe(1);
  });

  test("a change that may wait without a next one is written alone", async () => {
    const waiting = ["r1", "r2"].map((id) => store.commit({ writes: [insert(record(id))], mayWait: true }));
    expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(["committed", "committed"]);
    expect([count("commit"), await recordIds(store)]).toEqual([1, ["r1", "r2"]]);
  });

  test("after a change that may wait was written with a next one, later changes are written too", async () => {
    const waits: (() => void)[] = [];
    const endWaits = (): void => {
      for (const end of waits.splice(0)) end();
    };
    const own = await createSqliteStore({
      database: openSqlite(":memory:"),
      clock: { turn, sleep: () => new Promise((resolve) => void waits.push(resolve)) },
      sealer: testSealer,
    });
    const first = own.commit({ writes: [insert(record("r1"))], mayWait: true });
    await own.commit({ writes: [insert(record("r2"))] });
    expect((await first).kind).toBe("committed");
    // The wait of the first change ends when nothing is left to write.
    endWaits();
    await turn();
    expect((await own.commit({ writes: [insert(record("r3"))] })).kind).toBe("committed");
    const waiting = own.commit({ writes: [insert(record("r4"))], mayWait: true });
    endWaits();
    expect((await waiting).kind).toBe("committed");
    await own[Symbol.asyncDispose]();
  });

  test("a reproducible change is not synced; one that shares its transaction is, and so is the next", async () => {
    const reproducible = (id: string) => store.commit({ writes: [insert(record(id))], isReproducible: true });
    const durable = (id: string) => store.commit({ writes: [insert(record(id))] });
    const syncs = (): readonly string[] => statements.filter((text) => text === "commit" || text.startsWith("sync"));
    await reproducible("r1");
    await reproducible("r2");
    await durable("r3");
    expect(syncs()).toEqual(["sync normal", "commit", "commit", "sync full", "commit"]);
    statements.length = 0;
    await Promise.all([reproducible("r4"), durable("r5")]);
    await reproducible("r6");
    expect(syncs()).toEqual(["commit", "sync normal", "commit"]);
    expect(await recordIds(store)).toEqual(["r1", "r2", "r3", "r4", "r5", "r6"]);
  });

  test("a refused change without others leaves nothing, and needs no savepoint", async () => {
    await store.commit({ writes: [insert(record("r1"))] });
    const twice = await store.commit({ writes: [insert(record("r2")), insert(record("r1"))] });
    expect([twice.kind, await recordIds(store), count("savepoint change")]).toEqual(["conflict", ["r1"], 0]);
  });

  test("closing waits for a change that may wait", async () => {
    const waiting = store.commit({ writes: [insert(record("r1"))], mayWait: true });
    await store[Symbol.asyncDispose]();
    expect((await waiting).kind).toBe("committed");
  });

  test("a commit that the disk refuses leaves no trace in a chain of seals", async () => {
    await store.commit({ writes: [append("sealed:a", "e1")] });
    failing.add("commit");
    expect(await store.commit({ writes: [append("sealed:a", "lost")] }).catch(() => "refused")).toBe("refused");
    failing.clear();
    await store.commit({ writes: [append("sealed:a", "e2")] });
    const [first, second] = await store.select({ table: "events", order: [{ column: "offset" }] });
    expect(second?.seal).toBe(second === undefined ? null : testSealer.seal(first?.seal ?? null, second));
  });

  describe("a commit whose sync failed", () => {
    /**
     * Every commit is applied, and then fails. `reads` and `checkpoints`: what happens to those
     * after.
     */
    const openFailing = (
      onUnknownOutcome: () => void,
      { read = "row", busy = 0 }: { readonly read?: "row" | "another store" | "fails"; readonly busy?: number } = {},
    ): Promise<Store> => {
      let hasFailed = false;
      return createSqliteStore({
        database: {
          ...database,
          close: () => {},
          run(sql, parameters) {
            const result = database.run(sql, parameters);
            if (sql !== "commit") return result;
            hasFailed = true;
            throw new HearthError("store.unavailable", "the sync failed");
          },
          all(sql, parameters) {
            const rows = database.all(sql, parameters);
            if (sql.startsWith("pragma wal_checkpoint")) return [{ busy }];
            if (!hasFailed || read === "row" || !sql.includes("commit_marks")) return rows;
            if (read === "another store") return [{ id: 1, writer: "another", number: 7 }];
            throw new HearthError("store.unavailable", "the disk is gone");
          },
        },
        ...{ clock: { turn, sleep }, sealer: testSealer, onUnknownOutcome },
      });
    };

    test("is reported as committed when it was applied and a checkpoint makes it durable", async () => {
      await using lying = await openFailing(() => expect.unreachable());
      const change = { writes: [append("sealed:a", "e1"), append("plain", "e1")] };
      expect(await lying.commit(change)).toMatchObject({ kind: "committed", appended: [{ offset: 1 }, { offset: 1 }] });
      await lying.commit({ writes: [append("sealed:a", "e2")] });
      const rows = await lying.select({
        table: "events",
        where: { stream: "sealed:a" },
        order: [{ column: "offset" }],
      });
      expect<unknown>(rows.map(({ offset, id }) => [offset, id])).toEqual([
        [1, "e1"],
        [2, "e2"],
      ]);
      expect(rows[1]?.seal).toBe(testSealer.seal(rows[0]?.seal ?? null, rows[1] as (typeof rows)[number]));
    });

    test.each([
      ["the mark cannot be read", { read: "fails" }],
      ["another process has written since", { read: "another store" }],
      ["the checkpoint does not finish", { busy: 1 }],
    ] as const)("ends the daemon and rejects every later call when %s", async (_title, faults) => {
      let ends = 0;
      await using lying = await openFailing(() => (ends += 1), faults);
      const calls = [
        () => lying.commit({ writes: [insert(record("r1"))] }),
        () => lying.commit({ writes: [insert(record("r2"))] }),
        () => lying.select({ table: "records" }),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow("unknown whether the commit was applied");
      expect(ends).toBe(1);
      expect(await recordIds(store)).toEqual(["r1"]);
    });

    /**
     * SQLite rolls the first commit back and reports `failure`; `laterCommits` says what the others
     * do.
     */
    const openRollingBack = (
      failure: HearthError,
      laterCommits: "work" | "fail",
      onUnknownOutcome: () => void,
    ): { readonly opening: Promise<Store>; readonly commits: () => number } => {
      let commits = 0;
      const opening = createSqliteStore({
        database: {
          ...database,
          close: () => {},
          run(sql, parameters) {
            if (sql !== "commit") return database.run(sql, parameters);
            commits += 1;
            if (commits > 1 && laterCommits === "work") return database.run(sql, parameters);
            database.run("rollback");
            throw failure;
          },
        },
        ...{ clock: { turn, sleep }, onUnknownOutcome },
      });
      return { opening, commits: () => commits };
    };
    const change = { writes: [insert(record("r1"))] };
    const withEvent = { writes: [insert(record("r1")), append("plain", "e1")] };

    test("is rejected when it was rolled back, also if it appended an event", async () => {
      const failure = new HearthError("store.unavailable", "the sync failed");
      const rolling = openRollingBack(failure, "work", () => expect.unreachable());
      await using rejecting = await rolling.opening;
      await expect(rejecting.commit(withEvent)).rejects.toThrow(failure.message);
      expect([rolling.commits(), await recordIds(rejecting)]).toEqual([2, []]);
      expect(await rejecting.commit(withEvent)).toMatchObject({ kind: "committed", appended: [{ offset: 1 }] });
    });

    test("is reported as committed when it was applied, also if it removed the event again", async () => {
      await using lying = await openFailing(() => expect.unreachable());
      const forget = { kind: "delete", table: "events", where: { stream: "plain" } } as const;
      const results = await Promise.all([lying.commit(withEvent), lying.commit({ writes: [forget] })]);
      expect(results.map(({ kind }) => kind)).toEqual(["committed", "committed"]);
    });

    test("needs no mark if it appended an event", async () => {
      const isMarked = () => count("update commit_marks set writer = ?, number = ? where id = 1");
      await store.commit(withEvent);
      expect(isMarked()).toBe(0);
      await store.commit({ writes: [insert(record("r2"))] });
      expect(isMarked()).toBe(1);
    });

    test.each([
      [
        "after another commit has taken its place in the log",
        new HearthError("store.unavailable", "the sync failed"),
        2,
      ],
      ["at once when the disk is full", new DiskFullError("the disk is full"), 1],
    ] as const)("is rejected, and the store continues, %s", async (_title, failure, commits) => {
      const rolling = openRollingBack(failure, "work", () => expect.unreachable());
      await using rejecting = await rolling.opening;
      await expect(rejecting.commit(change)).rejects.toThrow(failure.message);
      expect(rolling.commits()).toBe(commits);
      expect(await recordIds(rejecting)).toEqual([]);
      expect(await rejecting.commit(change)).toEqual({ kind: "committed", appended: [] });
    });

    test("ends the daemon when no other commit can take its place in the log", async () => {
      let ends = 0;
      const rolling = openRollingBack(
        new HearthError("store.unavailable", "the sync failed"),
        "fail",
        () => (ends += 1),
      );
      await using rejecting = await rolling.opening;
      await expect(rejecting.commit(change)).rejects.toThrow("unknown whether the commit was applied");
      expect(ends).toBe(1);
    });
  });

  test("a seal needs no read", async () => {
    const reads: string[] = [];
    await using watched = await createSqliteStore({
      database: { ...database, close: () => {}, all: (sql, values) => (reads.push(sql), database.all(sql, values)) },
      ...{ clock: { turn, sleep }, sealer: testSealer },
    });
    await watched.commit({ writes: [append("sealed:a", "e1"), append("plain", "e1")] });
    reads.length = 0;
    await watched.commit({ writes: [append("sealed:a", "e2"), append("plain", "e2")] });
    expect(reads.filter((sql) => sql.startsWith("select"))).toEqual([]);
  });

  describe("every call", () => {
    const calls: readonly (readonly [string, (of: Store) => Promise<unknown>])[] = [
      ["commit", (of) => of.commit({ writes: [insert(record("late"))] })],
      ["a commit that may wait", (of) => of.commit({ writes: [insert(record("late"))], mayWait: true })],
      ["select", (of) => of.select({ table: "records" })],
      ["freeBytes", (of) => of.freeBytes()],
      ["scrub", (of) => of.scrub()],
      ["shrink", (of) => of.shrink(1)],
    ];

    test.each(calls)("`%s` of a closed store is refused and reaches no database", async (_name, call) => {
      await store[Symbol.asyncDispose]();
      statements.length = 0;
      await expect(call(store)).rejects.toMatchObject({ code: "house.closing" });
      expect(statements).toEqual([]);
    });

    test.each(calls)("`%s` after a commit with an unknown outcome is refused", async (_name, call) => {
      const below = { ...database, close: () => {}, inTransaction: () => false };
      let isLost = false;
      const run = (sql: string, parameters?: Parameters<SqlDatabase["run"]>[1]): ReturnType<SqlDatabase["run"]> => {
        if (sql === "commit" || isLost) {
          isLost = true;
          throw new HearthError("store.unavailable", "the disk is gone");
        }
        return database.run(sql, parameters);
      };
      const doubtful = await createSqliteStore({
        ...{ clock: { turn, sleep }, sealer: testSealer },
        database: { ...below, run, all: (...query) => (isLost ? (run("lost") as never) : database.all(...query)) },
      });
      await expect(doubtful.commit({ writes: [insert(record("r1"))] })).rejects.toThrow("unknown whether");
      await expect(call(doubtful)).rejects.toThrow("unknown whether the commit was applied");
    });
  });

  test("a commit during a flush waits for the next transaction", async () => {
    await store.commit({ writes: [insert(record("a"))] }).then(() => store.commit({ writes: [insert(record("b"))] }));
    expect(count("commit")).toBe(2);
    expect(await recordIds(store)).toEqual(["a", "b"]);
  });

  test("a statement that fails on its own rejects only its own change", async () => {
    const broken = { ...record("broken"), version: "no number" as unknown as number };
    const results = await Promise.allSettled([
      store.commit({ writes: [insert(record("a"))] }),
      store.commit({ writes: [insert(record("lost")), insert(broken)] }),
      store.commit({ writes: [insert(record("b"))] }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await recordIds(store)).toEqual(["a", "b"]);
  });

  for (const where of ["begin immediate", "savepoint change", "release change", "commit"]) {
    test(`a disk that fails at "${where}" rejects the whole group; the store works again afterwards`, async () => {
      await store.commit({ writes: [insert(record("before"))] });
      failing.add(where);
      // The repeated record conflicts, so the group uses savepoints.
      const ids = ["a", "before", "b"];
      const results = await Promise.allSettled(ids.map((id) => store.commit({ writes: [insert(record(id))] })));
      for (const result of results) {
        expect(result.status === "rejected" && isHearthError(result.reason, "store.unavailable")).toBe(true);
      }
      failing.clear();
      expect(await recordIds(store)).toEqual(["before"]);
      await store.commit({ writes: [insert(record("after"))] });
      expect(await recordIds(store)).toEqual(["after", "before"]);
    });
  }

  test("a disk that fails in the middle of one change rejects the other changes of the group too", async () => {
    failing.add('delete from "readers"');
    const results = await Promise.allSettled([
      store.commit({ writes: [insert(record("a"))] }),
      store.commit({ writes: [{ kind: "delete", table: "readers", where: {} }] }),
      store.commit({ writes: [insert(record("b"))] }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await recordIds(store)).toEqual([]);
  });

  test("a failed rollback is repeated before the next transaction", async () => {
    failing.add("commit").add("rollback");
    const [lost] = await Promise.allSettled([store.commit({ writes: [insert(record("lost"))] })]);
    expect(lost?.status).toBe("rejected");
    failing.clear();
    await store.commit({ writes: [insert(record("after"))] });
    expect(await recordIds(store)).toEqual(["after"]);
  });

  test("a database that cannot be opened as a store is closed", async () => {
    const foreign = openSqlite(":memory:");
    foreign.run("create table theirs (id text)");
    let closed = 0;
    const opening = createSqliteStore({
      database: {
        ...foreign,
        close() {
          closed += 1;
          foreign.close();
        },
      },
      clock: { turn, sleep },
    });
    const error = await opening.catch((reason: unknown) => reason);
    expect([isHearthError(error, "store.foreign"), closed]).toEqual([true, 1]);
  });

  test("lists of many lengths share few statements", async () => {
    const texts = new Set<string>();
    const all = database.all.bind(database);
    database.all = (sql, parameters) => {
      texts.add(sql);
      return all(sql, parameters);
    };
    for (let length = 1; length <= 64; length += 1) {
      await store.select({
        table: "records",
        and: [{ column: "id", is: "in", value: Array.from({ length }, String) }],
      });
    }
    expect(texts.size).toBe(7);
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
