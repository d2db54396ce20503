import { describe, expect, test } from "bun:test";
import type { AuditRow } from "@hearth/protocol";
import { plainRow } from "../../fixtures/rows.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Change, Store } from "../store/store.ts";
import { ANNEX, HOUSE } from "./fixtures.conformance.ts";
import { hash, setUp } from "./open.conformance.ts";
import { gunzip } from "./segments.ts";
import { auditStreamOf } from "./source.ts";

const grant = (agent: string): Change => ({
  writes: [
    {
      kind: "put",
      table: "grants",
      row: plainRow("grants", { agent, target: HOUSE, house: HOUSE, level: "w", by: agent, at: 5, rights: null }),
    },
  ],
});

/** Segments have 4 rows. The log of the first house has `count` rows before the archive begins. */
const openLog = async (count: number) => {
  const log = await setUp();
  await log.furnish();
  for (let row = 3; row <= count; row += 1) await log.store.commit(grant(`${row}`));
  const all = await log.audit.page(HOUSE, 0, 1000);
  await log.world.advance(1000);
  return {
    ...log,
    all,
    rows: (): Promise<readonly AuditRow[]> => log.audit.page(HOUSE, 0, 1000),
    inDatabase: () => offsetsIn(log.below),
    segments: () => log.below.select({ table: "audit_segments" }),
  };
};

const offsetsIn = async (store: Store): Promise<readonly number[]> => {
  const rows = await store.select({
    table: "events",
    where: { stream: auditStreamOf(HOUSE) },
    order: [{ column: "offset" }],
  });
  return rows.map(({ offset }) => offset);
};

/** Archives the rows from before the present instant of the log's world. */
const archive = ({ audit, world }: Pick<Awaited<ReturnType<typeof setUp>>, "audit" | "world">): Promise<number> =>
  audit.archive(world.clock.now());

describe("an archived log", () => {
  test("has all of its rows, in pages of any size and from any row on, and verifies", async () => {
    const { audit, all, rows, inDatabase, world } = await openLog(11);
    expect(await archive({ audit, world })).toBe(8);
    // Two rows for two segments.
    expect(await inDatabase()).toEqual([9, 10, 11, 12, 13]);
    const after = await rows();
    expect(after.slice(0, 11)).toEqual([...all]);
    for (const limit of [1, 3, 4, 5, 13, 20])
      for (let from = 0; from <= 13; from += 1)
        expect(await audit.page(HOUSE, from, limit)).toEqual(after.slice(from, from + limit));
    for (const limit of [1, 5, 6, 9, 13, 20])
      expect((await audit.search(HOUSE, { limit })).rows).toEqual(after.slice(-limit).toReversed());
    expect(await audit.verify(HOUSE)).toEqual({ house: HOUSE, rows: 13, findings: [] });
  });

  test("waits for the disk before each commit that names a segment", async () => {
    const { audit, world, store, below } = await openLog(11);
    const calls: string[] = [];
    const { commit } = store;
    const { waitUntilIdle } = below;
    below.waitUntilIdle = () => {
      calls.push("rest");
      return waitUntilIdle();
    };
    store.commit = (change) => {
      calls.push("commit");
      return commit(change);
    };
    await archive({ audit, world });
    const commits = calls.flatMap((call, at) => (call === "commit" ? [calls[at - 1]] : []));
    expect(commits).toEqual(["rest", "rest"]);
  });

  test("records each segment with its range and the hash of its blob", async () => {
    const { audit, world, told, segments } = await openLog(6);
    await archive({ audit, world });
    const [segment] = await segments();
    expect(segment).toMatchObject({ house: HOUSE, after: 0, through: 4 });
    expect(await told(HOUSE, 6)).toEqual([
      { row: "log", change: "added", house: HOUSE, after: 0, through: 4, blob: segment?.blob ?? "" },
    ]);
  });

  test("continues its chain, and is exported as before", async () => {
    const { audit, world, store, all } = await openLog(6);
    await archive({ audit, world });
    await store.commit(grant("later"));
    const lines: unknown[] = [];
    for await (const chunk of audit.export(HOUSE))
      for (const line of chunk.split("\n")) if (line !== "") lines.push(JSON.parse(line));
    expect(lines.slice(1, 7)).toEqual(all.map((row) => ({ kind: "row", ...row })));
    expect(lines.length).toBe(1 + 8 + 1);
    expect((await audit.verify(HOUSE)).findings).toEqual([]);
  });

  test("opens again, also with an anchor from before the archive", async () => {
    const { audit, below, anchor, blobs, world, log } = await openLog(11);
    const { heads } = await anchor.read();
    await archive({ audit, world });
    await audit[Symbol.asyncDispose]();
    await anchor.write(heads);
    const again = await setUp({ store: below, anchor, blobs });
    expect([again.audit.lostHeads(), (await again.audit.verify(HOUSE)).findings]).toEqual([[], []]);
    expect(log.lines.filter((line) => line.includes("error"))).toEqual([]);
  });
});

describe("rows stay in the database", () => {
  test("until a segment is full, and the last row of a log always", async () => {
    const { audit, world, inDatabase } = await openLog(4);
    expect(await archive({ audit, world })).toBe(0);
    expect(await inDatabase()).toEqual([1, 2, 3, 4]);
  });

  test("while they are young", async () => {
    const { audit, world, store, inDatabase } = await openLog(6);
    expect(await audit.archive(1000)).toBe(0);
    expect(await audit.archive(1001)).toBe(4);
    for (const name of ["a", "b", "c"]) await store.commit(grant(name));
    expect(await archive({ audit, world })).toBe(0);
    expect(await inDatabase()).toEqual([5, 6, 7, 8, 9, 10]);
  });

  test("if one of them does not match its seal, and the house logs it", async () => {
    const { audit, below, world, log, all, inDatabase } = await openLog(11);
    const [, second] = all;
    await below.commit({
      writes: [
        {
          kind: "update",
          table: "events",
          where: { stream: auditStreamOf(HOUSE) as `room:`, id: second?.id ?? "" },
          set: { body: "{}", labels: null, blob: null },
        },
      ],
    });
    expect(await archive({ audit, world })).toBe(0);
    expect((await inDatabase()).length).toBe(11);
    expect(log.lines.join("\n")).toContain("do not match their seals");
    expect((await audit.verify(HOUSE)).findings).toMatchObject([{ fault: "changed", from: 2, to: 2 }]);
  });

  test("of other houses, each with its own segments", async () => {
    const { audit, world, told } = await openLog(6);
    const annex = await told(ANNEX);
    await archive({ audit, world });
    expect(await told(ANNEX)).toEqual([...annex]);
  });
});

/** A disk whose daemon dies, once `arm` was called, at operation `at`: before it has an effect, or right after. */
const dyingDisk = (disk: { readonly store: Store; readonly blobs: Blobs }, at: number, when: "before" | "after") => {
  let isArmed = false;
  let count = 0;
  const cross = async <T>(operate: () => Promise<T>): Promise<T> => {
    if (!isArmed) return operate();
    count += 1;
    if (count > at || (count === at && when === "before")) throw new Error("the daemon died");
    const result = await operate();
    if (count === at) throw new Error("the daemon died");
    return result;
  };
  const { store, blobs } = disk;
  return {
    store: {
      ...store,
      commit: (change) => cross(() => store.commit(change)),
      select: (query) => cross(() => store.select(query)),
      waitUntilIdle: () => cross(async () => store.waitUntilIdle()),
    } satisfies Store,
    blobs: {
      ...blobs,
      put: (bytes) => cross(() => blobs.put(bytes)),
      get: (name) => cross(() => blobs.get(name)),
    } satisfies Blobs,
    arm: () => {
      isArmed = true;
    },
    isDead: () => count >= at,
  };
};

test("a crash before or after any operation leaves each row in one place, and the next sweep continues", async () => {
  const outcomes = new Set<string>();
  for (const when of ["before", "after"] as const)
    for (let at = 1; ; at += 1) {
      const { all, below, anchor, blobs, audit } = await openLog(11);
      await audit[Symbol.asyncDispose]();
      const disk = dyingDisk({ store: below, blobs }, at, when);
      const crashed = await setUp({ ...disk, anchor });
      await crashed.world.advance(1000);
      disk.arm();
      await archive(crashed).catch(() => {});
      if (!disk.isDead()) break;
      const again = await setUp({ store: below, anchor, blobs });
      await again.world.advance(1000);
      const rows = await again.audit.page(HOUSE, 0, 1000);
      expect(rows.slice(0, 11)).toEqual([...all]);
      expect(rows.map(({ offset }) => offset)).toEqual(rows.map((_, index) => index + 1));
      const { findings, rows: count } = await again.audit.verify(HOUSE);
      expect([findings, count]).toEqual([[], rows.length]);
      outcomes.add(`${(await below.select({ table: "audit_segments" })).length} ${(await offsetsIn(below)).length}`);
      await archive(again);
      expect((await offsetsIn(below))[0]).toBe(9);
      expect((await again.audit.verify(HOUSE)).findings).toEqual([]);
    }
  // No segment; one with its rows in the database; one without; two with rows; two without.
  expect([...outcomes]).toEqual(["0 11", "1 12", "1 8", "2 9", "2 5"]);
});

describe("verification finds", () => {
  const archived = async () => {
    const log = await openLog(11);
    await archive(log);
    const [first, second] = await log.segments();
    if (first === undefined || second === undefined) throw new Error("there are two segments");
    return { ...log, first, second };
  };
  const replace = async (blobs: Blobs, below: Store, segment: { readonly after: number }, text: string) => {
    const bytes = Bun.gzipSync(new TextEncoder().encode(text));
    const blob = await blobs.put(new Uint8Array(bytes));
    const where = { house: HOUSE, after: segment.after };
    await below.commit({ writes: [{ kind: "update", table: "audit_segments", where, set: { blob } }] });
  };

  test("a segment whose blob is gone, and names the blob", async () => {
    const { audit, blobs, first } = await archived();
    await blobs.erase(first.blob);
    const text = `The log is incomplete: rows 1 to 4 are in the blob ${first.blob}, which is missing or damaged.`;
    expect((await audit.verify(HOUSE)).findings).toEqual([
      { fault: "missing", from: 1, to: 4, text: "Rows 1 to 4 are missing." },
      { fault: "missing", from: 1, to: 4, text },
    ]);
    await expect(audit.page(HOUSE, 0, 1)).rejects.toThrow(
      text.replace("The log is incomplete", "The audit log cannot be read"),
    );
    expect((await audit.page(HOUSE, 4, 2)).map(({ offset }) => offset)).toEqual([5, 6]);
  });

  test("a row of a segment that was changed with its blob", async () => {
    const { audit, blobs, below, second } = await archived();
    const bytes = await blobs.get(second.blob);
    await replace(blobs, below, second, (await gunzip(bytes ?? new Uint8Array())).replace('"at":1000', '"at":1001'));
    expect((await audit.verify(HOUSE)).findings).toMatchObject([{ fault: "changed", from: 5, to: 5 }]);
  });

  test("a segment that is not compressed text", async () => {
    const { audit, blobs, below, first } = await archived();
    const blob = await blobs.put(new TextEncoder().encode("no gzip"));
    await below.commit({
      writes: [{ kind: "update", table: "audit_segments", where: { house: HOUSE, after: 0 }, set: { blob } }],
    });
    expect((await audit.verify(HOUSE)).findings).toMatchObject([
      { fault: "missing", from: 1, to: first.through },
      { fault: "missing", from: 1, to: first.through },
    ]);
  });

  test("a removed segment", async () => {
    const { audit, below } = await archived();
    await below.commit({ writes: [{ kind: "delete", table: "audit_segments", where: { house: HOUSE, after: 4 } }] });
    expect((await audit.verify(HOUSE)).findings).toMatchObject([{ fault: "missing", from: 5, to: 8 }]);
  });
});

test("a segment is an export of its rows", async () => {
  const { audit, world, blobs, segments, all } = await openLog(6);
  await archive({ audit, world });
  const [segment] = await segments();
  const bytes = await blobs.get(segment?.blob ?? "");
  const lines = (await gunzip(bytes ?? new Uint8Array()))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([
    { kind: "begin", house: HOUSE, after: 0, seal: null },
    ...all.slice(0, 4).map((row) => ({ kind: "row", ...row })),
    { kind: "end", house: HOUSE, after: 0, offset: 4, seal: all[3]?.seal ?? "", at: 2000, mark: expect.any(String) },
  ]);
  expect(hash(bytes ?? "")).toBe(segment?.blob ?? "");
});
