/** Random changes for tests, with few names so that they collide. */
import fc from "fast-check";
import type { Change, Guard, Store, Write } from "../store.ts";
import { type Everything, sorted } from "./model.conformance.ts";
import { type TableName, tableNames } from "../tables/tables.ts";

const name = fc.constantFrom("a", "b", "c");
const count = fc.integer({ min: 0, max: 2 });

const record = fc.record({
  id: name,
  type: fc.constantFrom("agent", "room"),
  house: fc.constant("h"),
  handle: fc.constantFrom("x", "y", "😀\u0000"),
  version: count,
  created_at: fc.constant(0),
  updated_at: count,
  content: fc.constant("{}"),
});
const key = fc.record({
  id: name,
  name,
  agent: name,
  hash: name,
  created_at: count,
  revoked_at: fc.option(count),
  scope: fc.constant(null),
  expires_at: fc.option(count),
});
const reader = fc.record({ reader: name, stream: name, offset: count });

/** Returns rows with some of the columns. */
const partOf = <Row extends object>(row: fc.Arbitrary<Row>): fc.Arbitrary<Partial<Row>> =>
  fc.tuple(row, fc.infiniteStream(fc.boolean())).map(([fullRow, keep]) => {
    const columns = Object.entries(fullRow).filter(() => keep.next().value === true);
    return Object.fromEntries(columns) as Partial<Row>;
  });

const writesOf = <Row extends object>(
  table: "records" | "keys" | "readers",
  row: fc.Arbitrary<Row>,
): fc.Arbitrary<Write> =>
  fc.oneof(
    fc.record({ kind: fc.constantFrom("insert", "put"), table: fc.constant(table), row }),
    fc.record({ kind: fc.constant("update"), table: fc.constant(table), where: partOf(row), set: partOf(row) }),
    fc.record({ kind: fc.constant("delete"), table: fc.constant(table), where: partOf(row) }),
  ) as fc.Arbitrary<Write>;

const append = fc.record({
  kind: fc.constant("append"),
  stream: name,
  event: fc.record({
    id: name,
    type: fc.constant("message"),
    at: count,
    body: fc.option(name),
    blob: fc.option(name),
    labels: fc.option(name),
  }),
}) as fc.Arbitrary<Write>;

const forget: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant("delete"),
  table: fc.constant("events"),
  where: fc.record({ stream: name }),
});

const guardsOn = <Row extends object>(table: TableName, row: fc.Arbitrary<Row>): fc.Arbitrary<Guard> =>
  fc.record({
    kind: fc.constantFrom("exists", "absent"),
    table: fc.constant(table),
    where: partOf(row),
  }) as fc.Arbitrary<Guard>;

const guard: fc.Arbitrary<Guard> = fc.oneof(
  guardsOn("records", record),
  guardsOn("keys", key),
  guardsOn("events", fc.record({ stream: name, id: name, offset: count })),
  fc.record({ kind: fc.constant("head"), stream: name, offset: count }),
);

export const anyChange: fc.Arbitrary<Change> = fc.record(
  {
    guards: fc.array(guard, { maxLength: 2 }),
    writes: fc.array(
      fc.oneof(writesOf("records", record), writesOf("keys", key), writesOf("readers", reader), append, forget),
      { maxLength: 5 },
    ),
  },
  { requiredKeys: ["writes"] },
);

export const everything = async (store: Store): Promise<Everything> => {
  const tables = await Promise.all(tableNames.map(async (table) => [table, await store.select({ table })] as const));
  const rows = Object.fromEntries(tables) as Partial<Everything>;
  return sorted((table) => rows[table] ?? []);
};
