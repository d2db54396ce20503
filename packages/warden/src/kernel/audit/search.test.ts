import { describe, expect, test } from "bun:test";
import type { AgentId, AuditRow } from "@hearth/protocol";
import { createEmptySchema, slowSteps } from "../../fixtures/query-plans.ts";
import { plainRow } from "../../fixtures/rows.ts";
import { selectSql } from "../store/sql.ts";
import type { Query, Store } from "../store/store.ts";
import type { TableName } from "../store/tables/tables.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { HOUSE } from "./fixtures.conformance.ts";
import { hash, setUp } from "./open.conformance.ts";
import { type AuditSearch, searchLog } from "./search.ts";
import { createSegments } from "./segments.ts";
import { createAuditSource } from "./source.ts";

const agentOf = (name: string): AgentId => `agent_${name.padEnd(26, "0")}` as never;
const [ADA, BOT] = [agentOf("ada"), agentOf("bot")];

/** A log with the rows 1 and 2 of the house, then `count` grants, one per second, with 8 rows in two segments. */
const openLog = async (count: number, isArchived = true) => {
  const blobs = createMemoryBlobs(hash);
  const log = await setUp({ ...(await fresh()), blobs });
  await log.furnish();
  for (let row = 0; row < count; row += 1) {
    const [agent, by] = row % 2 === 0 ? [BOT, ADA] : [ADA, ADA];
    await log.world.advance(1000);
    await log.store.commit({
      writes: [
        {
          kind: "put",
          table: "grants",
          row: plainRow("grants", { agent, target: HOUSE, house: HOUSE, level: "w", by, at: row, rights: null }),
        },
      ],
    });
  }
  if (isArchived) await log.audit.archive(log.world.clock.now() + 1);
  const all = (await log.audit.page(HOUSE, 0, 1000)).toReversed();
  const source = createAuditSource(log.below, { turn: () => Promise.resolve() }, createSegments(log.below, blobs));
  return { ...log, source, all, find: (search: AuditSearch) => log.audit.search(HOUSE, search) };
};

const fresh = async () => {
  const { below: store, anchor, audit } = await setUp();
  await audit[Symbol.asyncDispose]();
  return { store, anchor };
};

const offsets = ({ rows }: { readonly rows: readonly AuditRow[] }) => rows.map(({ offset }) => offset);

describe.each([
  ["with segments", true],
  ["in the database", false],
])("a search of a log %s", (_, isArchived) => {
  test("returns rows from the newest backward, in pages that continue each other", async () => {
    const { all, find } = await openLog(9, isArchived);
    expect((await find({ limit: 1000 })).rows).toEqual(all);
    for (const limit of [1, 3, 4, 7]) {
      const pages: AuditRow[] = [];
      for (let before: number | undefined; ;) {
        const { rows, next } = await find({ before, limit });
        expect(rows.length).toBeLessThanOrEqual(limit);
        pages.push(...rows);
        if (next === undefined) break;
        before = next;
      }
      expect(pages).toEqual([...all]);
    }
  });

  test("returns the rows of a type, and those that name a person or an agent", async () => {
    const { all, find } = await openLog(9, isArchived);
    const grants = all.filter(({ type }) => type === "grant");
    expect((await find({ type: "grant", limit: 100 })).rows).toEqual(grants);
    expect(grants.length).toBe(9);
    expect(offsets(await find({ person: ADA, limit: 100 })).length).toBe(9);
    const both = await find({ person: ADA, agent: BOT, limit: 100 });
    expect(both.rows).toEqual(grants.filter(({ body }) => body?.includes(BOT) === true));
    expect(both.rows.length).toBe(5);
    expect(await find({ agent: agentOf("eve"), limit: 100 })).toEqual({ rows: [] });
    // The id of the record.
    expect((await find({ agent: agentOf("main"), limit: 100 })).rows.map(({ type }) => type)).toEqual(["record"]);
  });

  test("returns the rows of a period, whose end is not included", async () => {
    const { all, find } = await openLog(9, isArchived);
    const grants = all.filter(({ type }) => type === "grant").toReversed();
    const [from, until] = [grants[2]?.at ?? 0, grants[5]?.at ?? 0];
    const found = await find({ from, until, limit: 100 });
    expect(found).toEqual({ rows: grants.slice(2, 5).toReversed() });
    expect(offsets(await find({ until, limit: 1 }))).toEqual([grants[4]?.offset ?? 0]);
  });
});

test("a search examines a limited number of rows, also if none matches, and continues where it stopped", async () => {
  const { source } = await openLog(30);
  const none = await searchLog(source, HOUSE, { type: "upload", limit: 5 }, 10);
  expect(none.rows).toEqual([]);
  const next = none.next ?? 0;
  expect(next).toBeGreaterThan(10);
  const seen: number[] = [];
  const counting: typeof source = {
    ...source,
    async *backward(...input) {
      for await (const page of source.backward(...input)) {
        seen.push(...page.map(({ offset }) => offset));
        yield page;
      }
    },
  };
  const record = await searchLog(counting, HOUSE, { type: "record", limit: 5, before: next }, 10);
  expect(record.rows).toEqual([]);
  expect([Math.max(...seen), seen.length <= 14]).toEqual([next - 1, true]);
  const rest = await searchLog(source, HOUSE, { type: "record", limit: 5, before: record.next }, 1000);
  expect(rest.next).toBeUndefined();
  expect(rest.rows.length).toBe(2);
});

test("a search reads the rows of its log by their index, in limited steps", async () => {
  const queries: Query<TableName>[] = [];
  const { below, find } = await openLog(30);
  const { select } = below;
  below.select = ((query: Query<TableName>) => {
    queries.push(query);
    return select(query);
  }) as Store["select"];
  await find({ type: "upload", person: ADA, from: 1, until: 1_000_000, limit: 5 });
  const events = queries.filter(({ table }) => table === "events");
  expect(events.length).toBeGreaterThan(0);
  const schema = createEmptySchema();
  for (const query of events) {
    expect(query.limit).toBeGreaterThan(0);
    expect(slowSteps(schema, selectSql(query))).toEqual([]);
  }
});

test("a row that a sweep archives during a search is returned once", async () => {
  const { all, source, audit, world } = await openLog(30, false);
  const found: number[] = [];
  let isArchived = false;
  for await (const page of source.backward(HOUSE)) {
    found.push(...page.map(({ offset }) => offset));
    if (!isArchived) await audit.archive(world.clock.now() + 1);
    isArchived = true;
  }
  expect(found).toEqual(all.map(({ offset }) => offset));
});

test("a damaged row is found by type and time, and not by person", async () => {
  const { find, below } = await openLog(2, false);
  const select = below.select.bind(below);
  below.select = (async (query: Query<TableName>) =>
    (await select(query)).map((row) => ("body" in row ? { ...row, body: `${ADA} {` } : row))) as Store["select"];
  expect((await find({ type: "grant", limit: 10 })).rows.length).toBe(2);
  expect((await find({ person: ADA, limit: 10 })).rows).toEqual([]);
});
