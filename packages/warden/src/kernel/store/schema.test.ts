import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import type { SqlDatabase } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { prepareSchema } from "./schema.ts";
import { tableShapes } from "./tables/tables.ts";

/** Tables of the SQLite store itself, which no change names. */
const INTERNAL = ["commit_marks"];

const more = [...migrations, { name: "9999-more", statements: ["create table extra (id text primary key) strict"] }];

describe("the schema", () => {
  test("a new database gets every table with the keys and unique columns of its shape", async () => {
    using database = opened();
    await prepareSchema(database);
    for (const [table, { key, unique }] of Object.entries(tableShapes)) {
      const columns = database.all(`select name, pk from pragma_table_info('${table}') where pk > 0 order by pk`);
      expect(columns.map((column) => column["name"])).toEqual([...key]);
      const indexes = database.all(`select name from pragma_index_list('${table}') where origin = 'u'`);
      const sets = indexes.map(({ name }) =>
        database
          .all(`select name from pragma_index_info('${String(name)}') order by seqno`)
          .map((column) => column["name"]),
      );
      expect(sets).toEqual(unique.map((set) => [...set]));
    }
    const tables = database.all(
      "select name, strict from pragma_table_list where schema = 'main' and name not like 'sqlite%'",
    );
    const ours = tables.filter((table) => !String(table["name"]).startsWith("migrations"));
    expect(ours.map((table) => String(table["name"])).toSorted()).toEqual(
      [...Object.keys(tableShapes), ...INTERNAL].toSorted(),
    );
    expect(ours.every((table) => table["strict"] === 1)).toBe(true);
  });

  test("an up-to-date database is not written to", async () => {
    using database = opened();
    await prepareSchema(database);
    const statements: string[] = [];
    await prepareSchema({
      ...database,
      run(sql) {
        throw new Error(`wrote ${sql}`);
      },
      all(sql, parameters) {
        statements.push(sql);
        return database.all(sql, parameters);
      },
    });
    expect(statements).toEqual(["pragma application_id", "pragma user_version"]);
  });

  test("an older database gets the missing steps and keeps its rows", async () => {
    using database = opened();
    await prepareSchema(database);
    database.run("insert into heads (stream, head) values ('s', 7)");
    await prepareSchema(database, more);
    expect(database.all("select head from heads")).toEqual([{ head: 7 }]);
    expect(database.all("select * from extra")).toEqual([]);
    await prepareSchema(database, more);
  });

  test("an inbox message read before the migration counts as read at the migration", async () => {
    using database = opened();
    const { length } = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === "0005-inbox-ages"),
    );
    await prepareSchema(database, migrations.slice(0, length));
    for (const status of ["pending", "read", "archived"])
      database.run(
        `insert into inbox (id, sender, recipient, type, status, text, room, activation, at)
          values ('${status}', 'a', 'b', 'note', '${status}', '', 'r', 'x', 1)`,
      );
    const start = Math.floor(Date.now() / 1000) * 1000;
    await prepareSchema(database);
    const moved = database.all("select id, moved_at from inbox order by id desc");
    expect(moved.map(({ id, moved_at: at }) => [id, at === null || Number(at) >= start])).toEqual([
      ["read", true],
      ["pending", true],
      ["archived", true],
    ]);
    expect(moved.filter(({ moved_at: at }) => at === null)).toEqual([{ id: "pending", moved_at: null }]);
  });

  test("R23: a failed step leaves the database as it was, earlier steps included", async () => {
    using database = opened();
    await prepareSchema(database);
    const broken = [...more, { name: "9999-nonsense", statements: ["create table half (id text)", "nonsense"] }];
    expect(await failure(prepareSchema(database, broken))).toMatchObject({
      message: expect.stringContaining("nonsense"),
    });
    expect(database.inTransaction()).toBe(false);
    expect(database.all("select name from sqlite_schema where name in ('extra', 'half')")).toEqual([]);
    await prepareSchema(database);
  });

  test("R23: a database with a newer schema is refused with instructions", async () => {
    using database = opened();
    await prepareSchema(database, more);
    const error = await failure(prepareSchema(database));
    expect(isHearthError(error, "store.foreign") && error.message).toMatch(
      new RegExp(`schema ${more.length}.*knows only ${migrations.length}`),
    );
    expect(isHearthError(error) && error.hint).toMatch(/newer Hearth/);
  });

  test("a database that another process migrated meanwhile is checked again", async () => {
    using database = opened();
    const error = await failure(
      prepareSchema({
        ...database,
        run(sql, parameters) {
          if (sql === "begin immediate") {
            database.all("pragma application_id = 0x48525448");
            database.all(`pragma user_version = ${more.length}`);
          }
          return database.run(sql, parameters);
        },
      }),
    );
    expect(isHearthError(error, "store.foreign") && error.message).toContain(`schema ${more.length}`);
    expect(database.inTransaction()).toBe(false);
  });

  const strangers = {
    "another program's tables": "create table theirs (id text)",
    "another program's id": "pragma application_id = 7",
    "another program's version": "pragma user_version = 1",
  };
  for (const [what, statement] of Object.entries(strangers)) {
    test(`a database with ${what} is refused and not changed`, async () => {
      using database = opened();
      database.all(statement);
      const before = database.all("select * from sqlite_schema");
      expect(isHearthError(await failure(prepareSchema(database)), "store.foreign")).toBe(true);
      expect(database.all("select * from sqlite_schema")).toEqual(before);
    });
  }
});

const opened = (): SqlDatabase & Disposable => {
  const database = openSqlite(":memory:");
  return { ...database, [Symbol.dispose]: () => database.close() };
};

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
