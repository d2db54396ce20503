/**
 * A disk that fails at the n-th statement, for every n: committed data stays, and refused changes
 * leave nothing.
 */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { anyChange, everything } from "./conformance/changes.conformance.ts";
import { DiskFullError, type SqlDatabase } from "./database.ts";
import { createModel } from "./conformance/model.conformance.ts";
import { createSqliteStore } from "./sqlite.ts";
import type { Change, CommitResult, Store } from "./store.ts";

const SEED = 20_261_121;
/** The time grows with the square: every statement of every group fails in a separate run. */
const GROUPS = process.env["HEARTH_WHOLE"] === undefined ? 18 : 40;
const groups: readonly (readonly Change[])[] = fc.sample(fc.array(anyChange, { minLength: 1, maxLength: 4 }), {
  seed: SEED,
  numRuns: GROUPS,
});

interface Disk {
  readonly database: SqlDatabase;
  /** Makes the n-th statement from here on fail. */
  failAt(statement: number): void;
  free(): void;
  count(): number;
  /** The number of savepoints so far, which only a group with a conflict needs. */
  savepoints(): number;
}

/** How a full disk makes SQLite fail. */
const ways = {
  "fails once": { stays: false, rollsBack: false },
  "fails once, and ends the transaction": { stays: false, rollsBack: true },
  "is full until there is space, even for a rollback": { stays: true, rollsBack: false },
  "is full until there is space, and ends the transaction": { stays: true, rollsBack: true },
};

const createDisk = ({ stays, rollsBack }: (typeof ways)[keyof typeof ways]): Disk => {
  const inner = openSqlite(":memory:");
  let count = 0;
  let savepoints = 0;
  let limit = Infinity;
  const step = (): void => {
    count += 1;
    if (stays ? count < limit : count !== limit) return;
    if (rollsBack && inner.inTransaction()) inner.run("rollback");
    throw new DiskFullError("The disk is full.");
  };
  return {
    database: {
      ...inner,
      run(sql, parameters) {
        step();
        if (sql.startsWith("savepoint")) savepoints += 1;
        return inner.run(sql, parameters);
      },
      all(sql, parameters) {
        // A full disk can still be read.
        if (!sql.startsWith("select")) step();
        return inner.all(sql, parameters);
      },
    },
    failAt(statement) {
      count = 0;
      limit = statement;
    },
    free() {
      limit = Infinity;
    },
    count: () => count,
    savepoints: () => savepoints,
  };
};

const turn = (): Promise<void> => Promise.resolve();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const commitAll = (store: Store, group: readonly Change[]): Promise<PromiseSettledResult<CommitResult>[]> =>
  Promise.allSettled(group.map((change) => store.commit(change)));

const countStatements = async (): Promise<Pick<Disk, "count" | "savepoints">> => {
  const disk = createDisk(ways["fails once"]);
  await using store = await createSqliteStore({ database: disk.database, clock: { turn, sleep } });
  disk.failAt(Infinity);
  for (const group of groups) await commitAll(store, group);
  return disk;
};

describe("a disk that", () => {
  for (const [what, way] of Object.entries(ways)) {
    test(`${what}, at any statement, loses no committed change and keeps no refused one`, async () => {
      const counted = await countStatements();
      const statements = counted.count();
      expect(statements).toBeGreaterThan(60);
      expect(counted.savepoints()).toBeGreaterThan(2);
      for (let statement = 1; statement <= statements; statement += 1) {
        const disk = createDisk(way);
        await using store = await createSqliteStore({ database: disk.database, clock: { turn, sleep } });
        const model = createModel();
        disk.failAt(statement);
        let refused = 0;
        for (const group of groups) {
          let settled = await commitAll(store, group);
          if (settled.some(({ status }) => status === "rejected")) {
            refused += 1;
            for (const result of settled) {
              expect(result.status === "rejected" && isHearthError(result.reason, "store.unavailable")).toBe(true);
            }
            disk.free();
            expect(await everything(store)).toEqual(model.everything());
            settled = await commitAll(store, group);
          }
          const results = settled.map((result) => (result.status === "fulfilled" ? result.value : undefined));
          expect(results).toEqual(group.map((change) => model.commit(change)));
        }
        expect(refused).toBe(1);
        expect(await everything(store)).toEqual(model.everything());
      }
    }, 180_000);
  }
});
