/** Plans of the statements that the house prepares: what reads too much is found, and each partial index is used. */
import { describe, expect, test } from "bun:test";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { createEmptySchema, slowSteps } from "../../fixtures/query-plans.ts";
import type { SqlDatabase } from "./database.ts";
import { append, insert, record } from "./conformance/rows.conformance.ts";
import { selectSql } from "./sql.ts";
import { createSqliteStore } from "./sqlite.ts";
import type { Query } from "./store.ts";
import type { TableName, Value } from "./tables/tables.ts";

const schema = createEmptySchema();
const slow = <Table extends TableName>(query: Query<Table>): readonly string[] => slowSteps(schema, selectSql(query));

test("a scan of a table that grows is found, a scan of one that does not is none", () => {
  expect(slow({ table: "events", where: { type: "message" } })).toEqual(["SCAN events"]);
  expect(slow({ table: "steps", order: [{ column: "started_at" }], limit: 5 })).toEqual([
    "SCAN steps",
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
  expect(slow({ table: "records", where: { handle: "main" } })).toEqual([]);
});

test("a sort of many rows of a table that grows is found, a sort of rows that tie is none", () => {
  expect(slow({ table: "activations", where: { agent: "a" }, order: [{ column: "ended_at" }] })).toEqual([
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
  const newest = [{ column: "created_at", descending: true }, { column: "cause_offset" }] as const;
  expect(slow({ table: "activations", where: { agent: "a" }, order: newest, limit: 9 })).toEqual([]);
});

test("what has not ended is read by its own index, sorted or not", () => {
  const order = [{ column: "cause_offset" }] as const;
  expect(slow({ table: "activations", where: { ended_at: null }, order })).toEqual([]);
});

test("what the store itself asks reads no table whole", async () => {
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

/** Partial indexes, and the question for which each is made: rows with its value, or with some value where it wants any. */
const partial = schema
  .all("select name, tbl_name as 'table', sql from sqlite_schema where type = 'index' and sql like '% where %'")
  .map(({ name, table, sql }) => {
    const [, column = "", is = "", value = ""] =
      / where (\w+) (=|<|is|is not) '?([\w[\]]+)'?$/u.exec(String(sql)) ?? [];
    const wanted = { is: { [column]: null }, "is not": { [column]: "x" }, "=": { [column]: value } }[is] ?? {};
    const and = is === "<" ? [{ column, is, value }] : [];
    return { name: String(name), query: { table, where: wanted, and } as unknown as Query<TableName> };
  });

/** Indexes for a question of another shape. */
const questions: Readonly<Record<string, Query<TableName>>> = {
  events_with_blob: {
    table: "events",
    and: [{ column: "blob", is: ">", value: "" }],
    order: [{ column: "at", descending: true }],
    limit: 9,
  } as Query<"events"> as unknown as Query<TableName>,
};

describe("a question for the rows of a partial index uses it", () => {
  test("there are some", () => expect(partial.length).toBeGreaterThan(15));
  for (const { name, query } of partial) {
    test(name, () => {
      const { text, parameters } = selectSql(questions[name] ?? query);
      const plan = schema.all(`explain query plan ${text}`, parameters).map(({ detail }) => String(detail));
      expect(plan.join("\n")).toContain(`USING INDEX ${name}`);
    });
  }
});
