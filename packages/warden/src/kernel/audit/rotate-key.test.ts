/** Rotations of the key: their rows, interruptions at every step, and attacks with the old key. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditHead, AuditRow } from "@hearth/protocol";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { keyNumber, createMemoryKeys } from "../../fixtures/audit-parts.ts";
import { plainRow } from "../../fixtures/rows.ts";
import type { Actor } from "../config/source.ts";
import { createSealKeys, KEY_ROTATED } from "../store/seal.ts";
import { createSqliteStore } from "../store/sqlite.ts";
import type { Change, Store } from "../store/store.ts";
import { sealerOf } from "./audit.ts";
import { ANNEX, chain, headOf, hmac, HOUSE, keys as oldKeys, sealer as oldSealer } from "./fixtures.conformance.ts";
import { type Anchor, createMemoryAnchor } from "./heads.ts";
import { type AuditDisk, createDisk, houseNamed, setUp } from "./open.conformance.ts";

const grant = (agent: string): Change => ({
  writes: [
    {
      kind: "put",
      table: "grants",
      row: plainRow("grants", { agent, target: HOUSE, house: HOUSE, level: "w", by: agent, at: 5, rights: null }),
    },
  ],
});
const clock = { turn: () => Promise.resolve(), sleep: () => Promise.resolve() };
/** The keys after the first rotation. */
const bothKeys = createSealKeys([hmac, keyNumber(1)]);
const NEW_ID = bothKeys.confirmed()[1]?.id ?? "";
const ADA: Actor = { agent: "agent_ada" as never, via: "login", session: "ses_1" as never };

const rowsOf = ({ audit }: Pick<Awaited<ReturnType<typeof setUp>>, "audit">, house = HOUSE) =>
  audit.page(house, 0, 1000);
const findings = async ({ audit }: Pick<Awaited<ReturnType<typeof setUp>>, "audit">) =>
  (await Promise.all([HOUSE, ANNEX].map((house) => audit.verify(house)))).flatMap((report) => report.findings);

/** Two houses, whose key was rotated after the second row of each log, and a row since. */
const rotated = async () => {
  const disk = createDisk();
  const house = await setUp(disk);
  await house.furnish();
  await house.world.advance(1000);
  await house.audit.rotateKey(ADA);
  await house.store.commit(grant("later"));
  await house.world.advance(1000);
  return { ...house, disk };
};

describe("a rotation of the key", () => {
  test("is recorded in every log with the person and the credential, in one commit", async () => {
    const disk = createDisk();
    const commits: Change[] = [];
    const store: Store = { ...disk.store, commit: (change) => (commits.push(change), disk.store.commit(change)) };
    const { audit, furnish, told } = await setUp({ ...disk, store });
    await furnish();
    const before = commits.length;
    expect(await audit.rotateKey(ADA)).toEqual({ key: NEW_ID, houses: 2 });
    expect(commits.length - before).toBe(1);
    const row = { row: "log", change: KEY_ROTATED, audit_key: NEW_ID, by: "agent_ada", via: "login", session: "ses_1" };
    expect([await told(HOUSE, 2), await told(ANNEX, 2)]).toEqual([[row], [row]]);
  });

  test("makes the new key seal its row and all later ones, and leaves older rows as they were", async () => {
    const house = await rotated();
    const seals = (await rowsOf(house)).map(({ seal }) => seal?.startsWith(`${NEW_ID}.`));
    expect(seals).toEqual([false, false, true, true]);
    expect(await findings(house)).toEqual([]);
    const again = await setUp(house.disk);
    await again.store.commit(grant("after a start"));
    expect((await rowsOf(again)).at(-1)?.seal).toStartWith(`${NEW_ID}.`);
    expect([again.audit.lostHeads(), await findings(again)]).toEqual([[], []]);
  });

  test("can be repeated, also twice at the same time", async () => {
    const house = await rotated();
    const [second, third] = await Promise.all([house.audit.rotateKey(), house.audit.rotateKey()]);
    expect(new Set([NEW_ID, second.key, third.key]).size).toBe(3);
    await house.store.commit(grant("last"));
    expect(await findings(house)).toEqual([]);
    expect(house.disk.keys.open().confirmed()).toHaveLength(4);
  });

  test("applies to a house that is added later", async () => {
    const house = await rotated();
    const third = `house_${"2".repeat(26)}` as typeof HOUSE;
    await house.store.commit({ writes: [houseNamed(third, 3)] });
    expect((await rowsOf(house, third))[0]?.seal).toStartWith(`${NEW_ID}.`);
    await house.world.advance(1000);
    expect((await house.audit.verify(third)).findings).toEqual([]);
  });

  test("keeps the order of commits that are in flight", async () => {
    const keys = createMemoryKeys(hmac).open();
    const database = openSqlite(":memory:");
    await using store = await createSqliteStore({ database, clock, sealer: sealerOf(keys) });
    const memoryKeys = { ...createMemoryKeys(hmac), open: () => keys };
    const house = await setUp({ store, anchor: createMemoryAnchor(), keys: memoryKeys });
    await house.furnish();
    await Promise.all([
      ...["a", "b"].map((agent) => house.store.commit(grant(agent))),
      house.audit.rotateKey(),
      ...["c", "d"].map((agent) => house.store.commit(grant(agent))),
      house.store.commit({ writes: [], guards: [{ kind: "head", name: "no", stream: "x", offset: 9 }] }),
    ]);
    await house.store.commit(grant("e"));
    expect(await findings(house)).toEqual([]);
  });

  test("covers segments and exports on both sides of it", async () => {
    const house = await rotated();
    for (let row = 5; row <= 12; row += 1) await house.store.commit(grant(`${row}`));
    await house.world.advance(1000);
    expect(await house.audit.archive(house.world.clock.now())).toBeGreaterThanOrEqual(8);
    expect(await findings(house)).toEqual([]);
    await house.audit.rotateKey();
    expect(await findings(house)).toEqual([]);
  });

  test("that fails is completed by the next one, and the old key seals until then", async () => {
    const disk = createDisk();
    const store: Store = { ...disk.store };
    const house = await setUp({ ...disk, store });
    await house.furnish();
    const { commit } = store;
    store.commit = () => Promise.reject(new Error("disk full"));
    await expect(house.audit.rotateKey()).rejects.toThrow("disk full");
    store.commit = commit;
    await house.store.commit(grant("a"));
    expect((await rowsOf(house)).at(-1)?.seal).not.toContain(".");
    expect(await findings(house)).toEqual([]);
    expect(await house.audit.rotateKey()).toEqual({ key: NEW_ID, houses: 2 });
    expect(await findings(house)).toEqual([]);
  });
});

class Killed extends Error {}

/** The disk of a daemon that is killed right before or right after an operation of its rotation. */
const interrupt = (disk: ReturnType<typeof createDisk>, at: number, when: "before" | "after") => {
  const operations: string[] = [];
  let isArmed = false;
  let isDead = false;
  const cross = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return new Promise<never>(() => {});
    if (!isArmed) return work();
    operations.push(name);
    isDead = operations.length - 1 === at;
    if (isDead && when === "before") throw new Killed();
    const result = await work();
    if (isDead) throw new Killed();
    return result;
  };
  const { store, anchor, keys } = disk;
  const own: AuditDisk = {
    store: { ...store, commit: (change) => cross("commit", () => store.commit(change)) },
    anchor: { ...anchor, write: (heads) => cross("anchor", () => anchor.write(heads)) },
    keys: {
      ...keys,
      open: () =>
        keys.open({
          add: () => cross("add", keys.disk.add),
          confirm: () => cross("confirm", keys.disk.confirm),
        }),
    },
  };
  return { own, operations, arm: () => (isArmed = true) };
};

describe("a kill during a rotation", () => {
  test.each(["before", "after"] as const)("%s any of its steps is completed by the next start", async (when) => {
    let isOver = false;
    const killed: string[] = [];
    for (let at = 0; !isOver; at += 1) {
      const disk = createDisk();
      const { own, operations, arm } = interrupt(disk, at, when);
      const first = await setUp(own);
      await first.furnish();
      await first.world.advance(1000);
      arm();
      const ended = await first.audit.rotateKey().catch((error: unknown) => error);
      isOver = !(ended instanceof Killed);
      if (!isOver) killed.push(operations[at] ?? "");
      const next = await setUp(disk);
      const where = `${when} ${operations[at]}`;
      const errors = next.log.lines.filter((line) => line.includes("error"));
      expect([where, errors, next.audit.lostHeads(), await findings(next)]).toEqual([where, [], [], []]);
      const isKnown = !(operations[at] === "add" && when === "before");
      const keys = disk.keys.open();
      expect([where, keys.confirmed().length, keys.next()]).toEqual([where, isKnown ? 2 : 1, undefined]);
      await next.store.commit(grant("after"));
      expect([where, await findings(next)]).toEqual([where, []]);
      expect((await rowsOf(next)).at(-1)?.seal?.startsWith(`${NEW_ID}.`)).toBe(isKnown);
      // The anchor of the next start is made with the present key.
      await next.world.advance(1000);
      expect((await setUp(disk)).audit.lostHeads()).toEqual([]);
    }
    expect(killed).toEqual(["add", "commit", "anchor", "confirm"]);
  });
});

/** A house on a database file. Its key was rotated with row 5, and row 6 is the last one. */
const openAttackedHome = async (folder: string) => {
  const path = join(folder, "hearth.db");
  const memoryKeys = createMemoryKeys(hmac);
  let anchor: Anchor = createMemoryAnchor();
  const start = async () => {
    const keys = memoryKeys.open();
    const store = await createSqliteStore({ database: openSqlite(path), clock, sealer: sealerOf(keys) });
    const house = await setUp({ store, anchor, keys: { ...memoryKeys, open: () => keys } });
    return {
      ...house,
      async stop() {
        await house.audit[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  };
  const first = await start();
  await first.furnish();
  for (const agent of ["a", "b"]) await first.store.commit(grant(agent));
  await first.audit.rotateKey(ADA);
  await first.store.commit(grant("c"));
  const rows = await rowsOf(first);
  await first.stop();
  return {
    rows,
    start,
    /** Replaces the log and the anchor. */
    async attack(forged: readonly AuditRow[], heads: readonly AuditHead[] | "removed" | "kept") {
      const database = openSqlite(path);
      database.run("delete from events where stream = ?", [`audit:${HOUSE}`]);
      for (const row of forged) {
        const names = Object.keys(row);
        const columns = names.map((name) => `"${name}"`).join(", ");
        database.run(`insert into events (${columns}) values (${names.map(() => "?").join(", ")})`, Object.values(row));
      }
      database.run("update heads set head = ? where stream = ?", [forged.length, `audit:${HOUSE}`]);
      database.close();
      if (heads === "removed") anchor = createMemoryAnchor();
      else if (heads !== "kept") await anchor.write([...heads, ...(await anchor.read()).heads.slice(1)]);
    },
    /** The faults of the log, at the next start and after a row and another start. */
    async faults() {
      const found: (readonly string[])[] = [];
      for (const agent of ["x", "y"]) {
        const house = await start();
        found.push(
          (await house.audit.verify(HOUSE)).findings.map(({ fault, from }) => `${fault} ${from ?? ""}`.trim()),
        );
        await house.store.commit(grant(agent));
        await house.stop();
      }
      return found;
    },
  };
};

describe("a thief of the old key", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-thief-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bodiesOf = (rows: readonly AuditRow[]): string[] => rows.map(({ body }) => body ?? "");

  test("finds no way when nothing was forged: the same steps leave an intact log", async () => {
    const home = await openAttackedHome(folder);
    await home.attack(home.rows, "kept");
    expect(await home.faults()).toEqual([[], []]);
  });

  test("A66: cannot rewrite rows from before the rotation, because the new key sealed their end", async () => {
    const home = await openAttackedHome(folder);
    const before = chain(HOUSE, [...bodiesOf(home.rows.slice(0, 3)), "{}"], oldSealer);
    await home.attack([...before, ...home.rows.slice(4)], "kept");
    expect(await home.faults()).toEqual([["changed 5"], ["changed 5"]]);
  });

  test("A66: cannot append rows after the rotation, and the house does not use the old key again", async () => {
    const home = await openAttackedHome(folder);
    const forged = chain(HOUSE, ["{}"], oldSealer, home.rows);
    await home.attack(forged, "kept");
    // The row that the house appends does not follow the forged one either.
    expect(await home.faults()).toEqual([["changed 7", "truncated"], ["changed 7"]]);
    const house = await home.start();
    expect((await rowsOf(house)).slice(7).every(({ seal }) => seal?.startsWith(NEW_ID))).toBe(true);
    await house.stop();
  });

  test("A66: cannot record another key, because only the new key seals its row", async () => {
    const home = await openAttackedHome(folder);
    const row = { change: KEY_ROTATED, audit_key: oldKeys.confirmed()[0]?.id };
    const [forged] = chain(HOUSE, [JSON.stringify(row)], oldSealer, home.rows).slice(-1);
    await home.attack([...home.rows, { ...(forged as AuditRow), type: "log" }], "kept");
    expect((await home.faults())[0]).toContain("changed 7");
  });

  test("A66: cannot hide the last rows with an anchor, also not at the next start", async () => {
    const home = await openAttackedHome(folder);
    await home.attack(home.rows.slice(0, 5), [headOf(home.rows.slice(0, 4))]);
    // The start records that the anchor is not the house's own.
    expect(await home.faults()).toEqual([["anchor 6"], ["anchor 6"]]);
    const house = await home.start();
    expect(house.audit.lostHeads()).toContainEqual(headOf(home.rows.slice(0, 4)));
    await house.stop();
  });

  test("A66: cannot replace the log by one from before the rotation, with or without an anchor", async () => {
    for (const withAnchor of [true, false]) {
      const own = mkdtempSync(join(folder, "own-"));
      const home = await openAttackedHome(own);
      const forged = chain(HOUSE, ["{}", "{}", "{}"], oldSealer);
      await home.attack(forged, withAnchor ? [headOf(forged)] : "removed");
      const [atStart = [], later = []] = await home.faults();
      // With the forged anchor, the start appends a row, which the new key seals.
      expect(atStart).toContain(withAnchor ? "changed 4" : "truncated");
      expect(later).toContain("changed 4");
    }
  });
});
