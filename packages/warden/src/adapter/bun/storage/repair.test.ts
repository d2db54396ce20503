/**
 * Damages each page of a database in turn: the deep check notices it, and a repair loses no message
 * outside that page.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { isHearthError, UNKNOWN_AGENT } from "@hearth/protocol";
import { append, insert, record } from "../../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../../kernel/store/sqlite.ts";
import { openHome } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import { repairHome } from "./repair.ts";

const PAGE = 4096;
const ROOMS = 2;
const MESSAGES = 40;
const roomName = (room: number): string => `room:room_${String(room).padStart(26, "0")}`;

let folder: string;
const place = (name: string): string => join(folder, name, "hearth.db");

/** Long enough that some bodies need overflow pages. */
const body = (room: number, index: number): string =>
  JSON.stringify({
    type: "message",
    author: UNKNOWN_AGENT,
    text: `${room} ${index} `.repeat(index % 20 === 0 ? 900 : 20),
  });

const makeHome = async (home: string): Promise<void> => {
  openHome(home).release();
  writeFileSync(join(home, "hearth.toml"), "version = 1\n");
  await using store = await createSqliteStore({
    database: openSqlite(join(home, "hearth.db")),
    clock: createBunClock(),
  });
  for (let index = 1; index <= MESSAGES; index += 1)
    for (let room = 0; room < ROOMS; room += 1) {
      const { event } = append(roomName(room), `evt_${room}_${index}`);
      await store.commit({
        writes: [
          { kind: "append", stream: roomName(room), event: { ...event, type: "message", body: body(room, index) } },
          insert(record(`record_${room}_${index}`)),
        ],
      });
    }
};

const read = (path: string) => {
  const database = openSqlite(path);
  try {
    return {
      check: String(database.all("pragma integrity_check")[0]?.["integrity_check"]),
      events: database.all("select stream, offset, id, body from events order by stream, offset"),
      heads: database.all("select stream, head from heads order by stream"),
      records: database.all("select id from records").length,
    };
  } finally {
    database.close();
  }
};

let whole: Uint8Array;
let before: ReturnType<typeof read>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-repair-"));
  await makeHome(join(folder, "whole"));
  before = read(place("whole"));
  whole = new Uint8Array(readFileSync(place("whole")));
});
afterAll(() => rmSync(folder, { recursive: true }));

const damages: Readonly<Record<string, (page: Uint8Array) => void>> = {
  zeroed: (page) => void page.fill(0),
  "full of noise": (page) => {
    let seed = 7;
    for (let at = 0; at < page.length; at += 1)
      page[at] = (seed = (seed * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff) >> 16;
  },
  "flipped in its head": (page) => {
    for (const at of [0, 3, 5, 9]) page[at] = (page[at] ?? 0) ^ 0xff;
  },
};

const isDamaged = (path: string): boolean => {
  try {
    return read(path).check !== "ok";
  } catch (error) {
    if (isHearthError(error, "store.damaged") || isHearthError(error, "store.foreign")) return true;
    throw error;
  }
};

test("an intact home stays unchanged, without a copy", async () => {
  cpSync(join(folder, "whole"), join(folder, "same"), { recursive: true });
  expect(await repairHome(join(folder, "same"))).toEqual({ copy: null, lost: [], tables: [] });
  expect(read(place("same"))).toEqual(before);
});

test("a running home is not repaired", async () => {
  cpSync(join(folder, "whole"), join(folder, "held"), { recursive: true });
  const home = openHome(join(folder, "held"));
  const error = await repairHome(join(folder, "held")).catch((reason: unknown) => reason);
  home.release();
  expect(isHearthError(error, "home.in-use")).toBe(true);
});

/** Pages with rows, and some of the empty ones: most tables of a small home are empty. */
const pagesToDamage = (): readonly number[] => {
  const pages = Array.from({ length: whole.length / PAGE }, (_, index) => index + 1);
  return pages.filter((page) => {
    const bytes = whole.subarray((page - 1) * PAGE, page * PAGE);
    return page % 8 === 0 || bytes.filter((byte) => byte !== 0).length > 100;
  });
};

describe("each page in turn", () => {
  for (const [turn, [how, damage]] of Object.entries(damages).entries()) {
    test(`${how}: damage that SQLite reports is repaired, and every message outside the page is kept`, async () => {
      const name = `damaged-${how}`;
      const home = join(folder, name);
      let repaired = 0;
      for (const page of pagesToDamage()) {
        // The first pages contain the schema; each other page gets one kind of damage.
        if (page > 9 && page % 3 !== turn) continue;
        rmSync(home, { recursive: true, force: true });
        cpSync(join(folder, "whole"), home, { recursive: true });
        const bytes = whole.slice();
        damage(bytes.subarray((page - 1) * PAGE, page * PAGE));
        writeFileSync(place(name), bytes);
        if (!isDamaged(place(name))) continue;
        const report = await repairHome(home);
        repaired += 1;
        const after = read(place(name));
        expect([page, after.check, after.heads]).toEqual([page, "ok", before.heads]);
        const lost = new Set(report.lost.map(({ stream, offset }) => `${stream} ${offset}`));
        const isLost = (event: (typeof before.events)[number]): boolean =>
          lost.has(`${String(event["stream"])} ${String(event["offset"])}`);
        expect(after.events.filter((event) => !isLost(event))).toEqual(before.events.filter((event) => !isLost(event)));
        expect(after.events).toHaveLength(before.events.length);
        // One page has fewer rows than this.
        expect([lost.size, before.records - after.records].filter((count) => count >= 120)).toEqual([]);
        expect(readFileSync(join(report.copy ?? "", "hearth.db")).equals(bytes)).toBe(true);
        expect(await repairHome(home)).toEqual({ copy: null, lost: [], tables: [] });
      }
      expect(repaired).toBeGreaterThan(5);
    }, 300_000);
  }
});
