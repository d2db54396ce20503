import { plainEvent, plainRow } from "../../fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import type { AuditHead } from "@hearth/protocol";
import type { Change } from "../store/store.ts";
import { createMemoryStore } from "../store/memory.ts";
import { ANNEX, chain, headOf, HOUSE, sealer } from "./fixtures.conformance.ts";
import { createMemoryAnchor } from "./heads.ts";
import { agentIn, houseNamed, setUp } from "./open.conformance.ts";

const offsets = (heads: readonly AuditHead[]) => heads.map(({ house, offset }) => [house, offset]);
const grant = (agent: string): Change => ({
  writes: [
    {
      kind: "put",
      table: "grants",
      row: plainRow("grants", { agent, target: HOUSE, house: HOUSE, level: "w", by: agent, at: 5, rights: null }),
    },
  ],
});

describe("the anchor", () => {
  test("receives the ends of all logs within a second, however many rows there are, and nothing when idle", async () => {
    const { store, anchor, world, furnish } = await setUp();
    let writes = 0;
    const { write } = anchor;
    anchor.write = (heads) => ((writes += 1), write(heads));
    await furnish();
    await world.advance(1000);
    const before = writes;
    for (let count = 0; count < 10; count += 1) await store.commit(grant(`${count}`));
    await world.advance(999);
    expect(writes).toBe(before);
    await world.advance(1);
    expect(offsets((await anchor.read()).heads)).toEqual([
      [HOUSE, 12],
      [ANNEX, 2],
    ]);
    await world.advance(60_000);
    expect(writes).toBe(before + 1);
  });

  test("receives the first end of a house at once", async () => {
    const { anchor, world, furnish } = await setUp();
    await furnish();
    await world.advance(0);
    expect(offsets((await anchor.read()).heads)).toContainEqual([HOUSE, 2]);
  });

  test("receives the last end on an orderly shutdown, and the log verifies", async () => {
    const { audit, store, anchor, world, furnish } = await setUp();
    await furnish();
    await world.advance(1000);
    await store.commit(grant("a"));
    await audit[Symbol.asyncDispose]();
    expect(offsets((await anchor.read()).heads)).toEqual([
      [HOUSE, 3],
      [ANNEX, 2],
    ]);
    expect(await audit.verify(HOUSE)).toEqual({ house: HOUSE, rows: 3, findings: [] });
  });

  test("that is missing at a start is reported in the log, and stays a finding under every later anchor", async () => {
    const { audit, below, store, world, furnish } = await setUp();
    await furnish();
    await world.advance(120_000);
    await store.commit(grant("a"));
    await audit[Symbol.asyncDispose]();
    const anchor = createMemoryAnchor();
    const second = await setUp({ store: below, anchor });
    const isTold = (line: string): boolean => line.includes("lost its anchor");
    expect(second.log.lines.filter(isTold)).toHaveLength(1);
    const gone = [{ fault: "anchor", from: 4, to: 4, text: expect.stringContaining("the anchor was missing") }];
    expect((await second.audit.verify(HOUSE)).findings).toEqual(gone as never);
    // All of its rows have one timestamp, so it may never have had an anchor.
    expect((await second.audit.verify(ANNEX)).findings).toHaveLength(1);
    await second.audit[Symbol.asyncDispose]();
    const third = await setUp({ store: below, anchor });
    expect((await third.audit.verify(HOUSE)).findings).toEqual(gone as never);
    expect(third.log.lines.filter(isTold)).toEqual([]);
  });

  test("is never ahead of what is durable", async () => {
    const below = createMemoryStore({ sealer });
    const gate = Promise.withResolvers<void>();
    const slow = {
      ...below,
      async commit(change: Change) {
        const result = await below.commit(change);
        await gate.promise;
        return result;
      },
    };
    const { audit, anchor, world } = await setUp({ store: slow, anchor: createMemoryAnchor() });
    const committed = audit.store.commit({ writes: [houseNamed(HOUSE, 1)] });
    await world.advance(5000);
    expect((await anchor.read()).heads).toEqual([]);
    gate.resolve();
    await committed;
    await world.advance(5000);
    expect(offsets((await anchor.read()).heads)).toEqual([[HOUSE, 1]]);
  });

  test("that cannot be written is retried and does not block work", async () => {
    const { store, anchor, world, log, furnish } = await setUp();
    const { write } = anchor;
    anchor.write = () => Promise.reject(new Error("disk full"));
    await furnish();
    await world.advance(0);
    await world.advance(2500);
    expect(log.lines.filter((line) => line.includes("disk full"))).toHaveLength(3);
    anchor.write = write;
    await store.commit(grant("a"));
    await world.advance(1000);
    expect(offsets((await anchor.read()).heads)).toEqual([
      [HOUSE, 3],
      [ANNEX, 2],
    ]);
  });

  test("may lag after a crash: later rows are checked by their seals", async () => {
    const { store, audit, world, furnish, open, below } = await setUp();
    await furnish();
    await world.advance(1000);
    await store.commit(grant("a"));
    const again = await open();
    expect(again.lostHeads()).toEqual([]);
    expect((await again.verify(HOUSE)).findings).toEqual([]);
    await below.commit({ writes: [{ kind: "append", stream: `audit:${HOUSE}`, event: EVENT }] });
    // Code inside the daemon has the key. Tests of the file cover an attacker who only has the
    // file.
    expect((await audit.verify(HOUSE)).findings).toEqual([]);
  });
});

const EVENT = plainEvent({ id: "e", type: "step", at: 1, body: "{}", blob: null, labels: null });

describe("a log that was restored to an earlier state", () => {
  const restored = async () => {
    const first = await setUp();
    await first.furnish();
    const older = createMemoryStore({ sealer });
    for (const house of [HOUSE, ANNEX])
      for (const event of await first.audit.page(house, 0, 100))
        await older.commit({ writes: [{ kind: "append", stream: event.stream, event: plainEvent(event) }] });
    await older.commit({ writes: [houseNamed(HOUSE, 1), agentIn(HOUSE, "main"), houseNamed(ANNEX, 2)] });
    for (const agent of ["a", "b", "c"]) await first.store.commit(grant(agent));
    await first.audit[Symbol.asyncDispose]();
    return { ...(await setUp({ store: older, anchor: first.anchor })), older };
  };

  test("is reported at the start, and by every check", async () => {
    const { audit, log } = await restored();
    expect(offsets(audit.lostHeads())).toContainEqual([HOUSE, 5]);
    expect(log.lines.join("\n")).toContain("does not match its anchor");
    expect((await audit.verify(HOUSE)).findings).toEqual([
      { fault: "truncated", from: 3, to: 5, text: "Rows 3 to 5 are missing at the end." },
    ]);
  });

  test("is still reported when it has grown past its old end, and after another start", async () => {
    const { audit, store, open } = await restored();
    for (const agent of ["x", "y", "z", "u"]) await store.commit(grant(agent));
    await audit[Symbol.asyncDispose]();
    const again = await open();
    expect(offsets(again.lostHeads())).toContainEqual([HOUSE, 5]);
    expect((await again.verify(HOUSE)).findings).toMatchObject([{ fault: "rewritten", from: 5, to: 5 }]);
    expect((await again.verify(ANNEX)).findings).toEqual([]);
  });
});

test("a house from before the audit log gets one at the start, and an empty log means that it was removed", async () => {
  const below = createMemoryStore({ sealer });
  await below.commit({ writes: [houseNamed(HOUSE, 1), houseNamed(ANNEX, 2)] });
  const anchor = createMemoryAnchor();
  const { audit, told, open } = await setUp({ store: below, anchor });
  expect([await told(), await told(ANNEX)]).toEqual([
    [{ row: "log", change: "began" }],
    [{ row: "log", change: "began" }],
  ]);
  await audit[Symbol.asyncDispose]();
  await below.commit({ writes: [{ kind: "delete", table: "events", where: { stream: `audit:${HOUSE}` } }] });
  const again = await open();
  expect(await told()).toEqual([]);
  expect((await again.verify(HOUSE)).findings.map(({ fault }) => fault)).toEqual(["missing", "truncated"]);
});

test("an anchor with foreign content is set aside and reported, and the house starts", async () => {
  const broken = { ...createMemoryAnchor(), read: async () => ({ heads: [], lost: [], isBroken: true }) };
  const { audit, log, furnish } = await setUp({ store: createMemoryStore({ sealer }), anchor: broken });
  await furnish();
  expect(log.lines.join("\n")).toContain("does not match its anchor");
  expect((await audit.verify(HOUSE)).findings).toMatchObject([{ fault: "anchor" }]);
});

test("heads of another log do not verify this one", async () => {
  const { anchor, furnish, open } = await setUp();
  await furnish();
  await anchor.write([headOf(chain(HOUSE, ["{}", "{}"]))]);
  expect(offsets((await open()).lostHeads())).toEqual([[HOUSE, 2]]);
});

describe("an export", () => {
  const linesOf = async (pieces: AsyncIterable<string>) => {
    let text = "";
    for await (const piece of pieces) text += piece;
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  test("has every row as it was sealed, and says where it begins and ends", async () => {
    const { audit, furnish } = await setUp();
    await furnish();
    const [begin, ...rest] = await linesOf(audit.export(HOUSE));
    const rows = await audit.page(HOUSE, 0, 10);
    expect(begin).toEqual({ kind: "begin", house: HOUSE, after: 0, seal: null });
    expect(rest.slice(0, -1)).toEqual(rows.map((row) => ({ kind: "row", ...row })));
    expect(rest.at(-1)).toMatchObject({ kind: "end", house: HOUSE, after: 0, offset: 2, seal: rows[1]?.seal });
  });

  test("from an instant begins with the seal before it", async () => {
    const { audit, store, world, furnish } = await setUp();
    await furnish();
    await world.advance(1000);
    for (const agent of ["a", "b"]) await store.commit(grant(agent));
    const lines = await linesOf(audit.export(HOUSE, 2000));
    const rows = await audit.page(HOUSE, 0, 10);
    expect(lines.map(({ kind, offset, after }) => [kind, offset ?? after])).toEqual([
      ["begin", 2],
      ["row", 3],
      ["row", 4],
      ["end", 4],
    ]);
    expect(lines[0].seal).toBe(rows[1]?.seal);
    expect((await linesOf(audit.export(HOUSE, 9e12))).map(({ kind }) => kind)).toEqual(["begin", "end"]);
  });
});
