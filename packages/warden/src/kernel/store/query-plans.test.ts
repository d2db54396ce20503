/**
 * Query plans of the house's statements: expensive reads are detected, and each partial index is
 * used.
 */
import { describe, expect, test } from "bun:test";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { createEmptySchema, findSlowStatements, slowSteps } from "../../fixtures/query-plans.ts";
import type { SqlDatabase } from "./database.ts";
import { append, insert, record } from "./conformance/rows.conformance.ts";
import { PENDING_FILES } from "./sqlite-passages.ts";
import { PENDING, UNLISTED } from "./sqlite-texts.ts";
import { selectSql } from "./sql.ts";
import { createSqliteStore } from "./sqlite.ts";
import type { Query } from "./store.ts";
import type { Value } from "./tables/table.ts";
import type { TableName } from "./tables/tables.ts";

const schema = createEmptySchema();
const slow = <Table extends TableName>(query: Query<Table>): readonly string[] => slowSteps(schema, selectSql(query));

test("a scan of a growing table is detected, and one of a small table is allowed", () => {
  expect(slow({ table: "events", where: { type: "message" } })).toEqual(["SCAN events"]);
  expect(slow({ table: "steps", order: [{ column: "started_at" }], limit: 5 })).toEqual([
    "SCAN steps",
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
  expect(slow({ table: "records", where: { handle: "main" } })).toEqual([]);
});

test("recorded statements are checked once each, and those of other databases are not", () => {
  const scan = "select id from events where type = ?";
  const good = "select id from events where stream = ? and offset > ?";
  expect(findSlowStatements([scan, good, scan, "select * from chunks_of_another_database"])).toEqual([
    `${scan}\n  SCAN events`,
  ]);
});

test("a sort of many rows of a growing table is detected, and a sort of rows with equal keys is allowed", () => {
  expect(slow({ table: "activations", where: { agent: "a" }, order: [{ column: "ended_at" }] })).toEqual([
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
  const newest = [{ column: "created_at", descending: true }, { column: "cause_offset" }] as const;
  expect(slow({ table: "activations", where: { agent: "a" }, order: newest, limit: 9 })).toEqual([]);
});

test("unfinished activations are read by their own index, sorted or not", () => {
  const order = [{ column: "cause_offset" }] as const;
  expect(slow({ table: "activations", where: { ended_at: null }, order })).toEqual([]);
});

test("the store's own queries scan no table", async () => {
  const texts = new Map<string, readonly Value[]>();
  const inner = openSqlite(":memory:");
  const note = (sql: string, parameters: readonly Value[] = []): void => void texts.set(sql, parameters);
  const database: SqlDatabase = {
    ...inner,
    run: (sql, parameters) => (note(sql, parameters), inner.run(sql, parameters)),
    all: (sql, parameters) => (note(sql, parameters), inner.all(sql, parameters)),
  };
  const clock = { turn: () => Promise.resolve(), sleep: () => Promise.resolve() };
  await using store = await createSqliteStore({ database, clock });
  texts.clear();
  const guards = [{ kind: "head", stream: "s", offset: 0 }] as const;
  await store.commit({ guards, writes: [insert(record("a")), append("s", "e1"), append("s", "e1")] });
  await store.commit({ writes: [{ kind: "delete", table: "events", where: { stream: "s" } }] });
  const statements = [...texts].filter(([text]) => /^(select|insert|update|delete) /u.test(text));
  expect(statements.length).toBeGreaterThan(6);
  for (const [text, parameters] of statements)
    expect([text, ...slowSteps(inner, { text, parameters })]).toEqual([text]);
});

/** Partial indexes, each with a query for which it is made. */
const partial = schema
  .all(
    "select name, tbl_name as 'table', sql from sqlite_schema where type = 'index' and sql like '% where %' and tbl_name <> 'message_index' and tbl_name <> 'passage_files'",
  )
  .map(({ name, table, sql }) => {
    const [, column = "", is = "", value = ""] =
      / where (\w+) (=|<|is|is not) '?([\w[\]]+)'?$/u.exec(String(sql)) ?? [];
    const wanted = { is: { [column]: null }, "is not": { [column]: "x" }, "=": { [column]: value } }[is] ?? {};
    const and = is === "<" ? [{ column, is, value }] : [];
    return { name: String(name), query: { table, where: wanted, and } as unknown as Query<TableName> };
  });

/** Queries of another shape for which an index exists. */
const questions: Readonly<Record<string, Query<TableName>>> = {
  activations_unfinished: {
    table: "activations",
    where: { agent: "a", room: "r", parent: null },
    and: [{ column: "state", is: "in", value: ["failed", "stopped"] }],
    order: [{ column: "created_at", descending: true }],
    limit: 9,
  } as Query<"activations"> as unknown as Query<TableName>,
  events_with_blob: {
    table: "events",
    and: [{ column: "blob", is: ">", value: "" }],
    order: [{ column: "at", descending: true }],
    limit: 9,
  } as Query<"events"> as unknown as Query<TableName>,
  uploads_unnamed: {
    table: "uploads",
    and: [
      { column: "state", is: "in", value: ["open", "complete"] },
      { column: "changed_at", is: "<=", value: 5 },
    ],
    order: [{ column: "changed_at" }],
    limit: 9,
  } as Query<"uploads"> as unknown as Query<TableName>,
};

describe("a query for the rows of a partial index uses it", () => {
  test("partial indexes exist", () => expect(partial.length).toBeGreaterThan(15));
  for (const { name, query } of partial) {
    test(name, () => {
      const { text, parameters } = selectSql(questions[name] ?? query);
      const plan = schema.all(`explain query plan ${text}`, parameters).map(({ detail }) => String(detail));
      expect(plan.join("\n")).toContain(`USING INDEX ${name}`);
    });
  }
});

test("the oldest messages without words are read from their index, in its order", () => {
  const plan = schema.all(`explain query plan ${PENDING}`, [10]).map(({ detail }) => String(detail));
  expect(plan).toEqual([expect.stringContaining("USING INDEX message_index_pending")]);
});

test("the oldest events without a place in the list of messages are read in their order", () => {
  const plan = schema.all(`explain query plan ${UNLISTED}`, [10]).map(({ detail }) => String(detail));
  expect(plan).toEqual(["SCAN unlisted_messages", expect.stringContaining("SEARCH events USING INDEX")]);
});

test("attachments without words are read from their index, in its order", () => {
  const plan = schema.all(`explain query plan ${PENDING_FILES}`, [10]).map(({ detail }) => String(detail));
  expect(plan[0]).toContain("INDEX passage_files_pending");
  expect(plan.filter((step) => /TEMP B-TREE|SCAN events/u.test(step))).toEqual([]);
});
