/**
 * Simulates what a power cut can leave of a database: a WAL that ends anywhere, an incomplete
 * checkpoint, a damaged header.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { anyChange, everything } from "../../kernel/store/conformance/changes.conformance.ts";
import { createModel, type Everything } from "../../kernel/store/conformance/model.conformance.ts";
import { insert, record, recordIds } from "../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import type { Store } from "../../kernel/store/store.ts";
import { openHomeDatabase } from "./home-database.ts";
import { openSqlite } from "./sqlite.ts";

const SEED = 20_261_121;
const GROUPS = 90;
const FRAME_HEADER = 24;
const WAL_HEADER = 32;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-power-"));
  path = join(folder, "hearth.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const openStore = (at: string): Promise<Store> =>
  createSqliteStore({ database: openSqlite(at), clock: { turn, sleep }, durability: "power" });
/** A copy, because a slice of a `Buffer` shares its memory. */
const readOr = (at: string): Uint8Array => (existsSync(at) ? Uint8Array.from(readFileSync(at)) : new Uint8Array());

/** The disk when a commit was acknowledged. */
interface Moment {
  /** The database when this WAL began. */
  readonly base: Uint8Array;
  readonly database: Uint8Array;
  readonly wal: Uint8Array;
  /**
   * Number of WAL frames → the state that they give with the base; the last is the acknowledged
   * state.
   */
  readonly states: ReadonlyMap<number, Everything>;
}

/**
 * Frames at the start of a WAL with its present salts: later frames are left over from an earlier
 * generation.
 */
const frames = (wal: Uint8Array): { readonly count: number; readonly size: number; readonly salts: string } => {
  if (wal.length < WAL_HEADER) return { count: 0, size: 0, salts: "" };
  const bytes = Buffer.from(wal.buffer, wal.byteOffset, wal.length);
  const size = FRAME_HEADER + bytes.readUInt32BE(8);
  const salts = bytes.toString("hex", 16, 24);
  let count = 0;
  const at = (): number => WAL_HEADER + count * size;
  while (at() + size <= bytes.length && bytes.toString("hex", at() + 8, at() + 16) === salts) count += 1;
  return { count, size, salts };
};

/** A database after random commits in groups, with checkpoints in between. */
const work = async (): Promise<readonly Moment[]> => {
  const database = openSqlite(path);
  await using store = await createSqliteStore({ database, clock: { turn, sleep }, durability: "power" });
  database.all("pragma wal_autocheckpoint = 40");
  const model = createModel();
  const groups = fc.sample(fc.array(anyChange, { minLength: 1, maxLength: 5 }), { seed: SEED, numRuns: GROUPS });
  const moments: Moment[] = [];
  let salts = frames(readOr(`${path}-wal`)).salts;
  let base: Uint8Array = new Uint8Array();
  let before = readOr(path);
  let states = new Map<number, Everything>([[0, createModel().everything()]]);
  const keep = (): void => {
    const wal = readOr(`${path}-wal`);
    const now = frames(wal);
    if (now.salts !== salts) {
      const [last] = [...states.values()].slice(-1);
      states = new Map([[0, last ?? createModel().everything()]]);
      base = before;
      salts = now.salts;
    }
    states.set(now.count, model.everything());
    before = readOr(path);
    moments.push({ base, database: before, wal, states: new Map(states) });
  };
  keep();
  for (const group of groups) {
    const results = await Promise.all(group.map((change) => store.commit(change)));
    expect(results).toEqual(group.map((change) => model.commit(change)));
    keep();
  }
  return moments;
};

/** The last moment of each WAL generation, which contains the earlier ones. */
const lastOf = (moments: readonly Moment[]): readonly Moment[] =>
  moments.filter(({ base, wal }, index) => wal.length > 0 && moments[index + 1]?.base !== base);

/** Opens the given files and reads everything. */
const look = async (database: Uint8Array, wal: Uint8Array): Promise<Everything> => {
  const copy = join(folder, "copy.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  writeFileSync(copy, database);
  writeFileSync(`${copy}-wal`, wal);
  const opened = openSqlite(copy);
  await using store = await createSqliteStore({ database: opened, clock: { turn, sleep } });
  expect(opened.all("pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
  return await everything(store);
};

/** The newest state within this many frames. */
const stateAt = (states: ReadonlyMap<number, Everything>, count: number): Everything => {
  const known = [...states.keys()].filter((key) => key <= count);
  const state = states.get(Math.max(...known));
  if (state === undefined) throw new Error("there is always a state before the first frame");
  return state;
};

describe("a power cut", () => {
  test("at any frame of the WAL leaves every commit synced by then, whole and in order, and no other", async () => {
    const generations = lastOf(await work());
    expect(generations.length).toBeGreaterThan(3);
    for (const { base, wal, states } of generations) {
      const { count, size } = frames(wal);
      for (let kept = 0; kept <= count; kept += 1) {
        expect(await look(base, wal.slice(0, WAL_HEADER + kept * size))).toEqual(stateAt(states, kept));
      }
    }
  }, 180_000);

  test("R7: at any byte of the WAL, or with a flipped bit, does the same", async () => {
    const generations = lastOf(await work());
    const places = fc.sample(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { seed: SEED, numRuns: 24 });
    for (const { base, wal, states } of generations) {
      const { count, size } = frames(wal);
      for (const place of places) {
        const at = WAL_HEADER + Math.floor(place * count * size);
        const expected = stateAt(states, Math.floor((at - WAL_HEADER) / size));
        expect(await look(base, wal.slice(0, at))).toEqual(expected);
        const turned = wal.slice();
        // A frame's checksum covers the page number and the database size first; the salts follow.
        turned[at] = (turned[at] ?? 0) ^ 1;
        expect(await look(base, turned)).toEqual(expected);
      }
    }
  }, 180_000);

  test("in the middle of a checkpoint loses nothing", async () => {
    const moments = await work();
    const chances = fc.sample(fc.infiniteStream(fc.boolean()), { seed: SEED, numRuns: 4 });
    let torn = 0;
    for (const { base, database, wal, states } of lastOf(moments)) {
      const page = frames(wal).size - FRAME_HEADER;
      if (Buffer.from(base).equals(database)) continue;
      for (const chance of chances) {
        const mixed = new Uint8Array(database.length);
        for (let at = 0; at < database.length; at += page) {
          const from = chance.next().value === true ? database : base;
          mixed.set(from.slice(at, at + page), at);
        }
        expect(await look(mixed, wal)).toEqual(stateAt(states, Infinity));
        torn += 1;
      }
    }
    expect(torn).toBeGreaterThan(3);
  }, 180_000);
});

describe("damage", () => {
  const makeDatabase = async (): Promise<Uint8Array> => {
    await using store = await openStore(path);
    await store.commit({ writes: [insert(record("a")), insert(record("b"))] });
    await store[Symbol.asyncDispose]();
    return readOr(path);
  };

  /** The ids that are read from a damaged file, or the code of the failure. */
  const attempt = async (bytes: Uint8Array): Promise<readonly string[] | string> => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    writeFileSync(path, bytes);
    try {
      await using store = await createSqliteStore({
        database: openHomeDatabase(path, { isUsed: true }),
        clock: { turn, sleep },
      });
      return await recordIds(store);
    } catch (error) {
      return isHearthError(error) && (error.hint ?? "") !== "" ? error.code : `untyped: ${String(error)}`;
    }
  };

  test("to any byte of the database's header gives an error or has no effect, never an empty house", async () => {
    const whole = await makeDatabase();
    const outcomes = new Set<string>();
    for (let at = 0; at < 108; at += 1) {
      for (const mask of [0x01, 0xff]) {
        const turned = whole.slice();
        turned[at] = (turned[at] ?? 0) ^ mask;
        const outcome = await attempt(turned);
        outcomes.add(typeof outcome === "string" ? outcome : outcome.join(" "));
      }
    }
    expect([...outcomes].toSorted()).toEqual(["a b", "store.damaged", "store.foreign"]);
  });

  test("that truncates the database anywhere gives an error, never an empty house", async () => {
    const whole = await makeDatabase();
    for (const size of [
      0,
      1,
      15,
      16,
      99,
      100,
      511,
      512,
      4095,
      4096,
      4097,
      8192,
      whole.length >> 1,
      whole.length - 4096,
    ]) {
      const outcome = await attempt(whole.slice(0, size));
      expect([size, outcome]).toEqual([size, expect.stringMatching(/^store\.(damaged|foreign|unavailable)$/)]);
    }
  });

  test("that loses the database of a used home makes the start fail without creating a new one", async () => {
    const lost = await Promise.resolve()
      .then(() => openHomeDatabase(path, { isUsed: true }))
      .catch((reason: unknown) => reason);
    expect(isHearthError(lost, "store.unavailable") && lost.hint).toMatch(/backup/);
    expect(readOr(path)).toEqual(new Uint8Array());
    openHomeDatabase(path, { isUsed: false }).close();
  });
});
