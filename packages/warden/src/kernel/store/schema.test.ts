import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { isHearthError } from "@hearth/protocol";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { declaredSchema } from "../../fixtures/declared-schema.ts";
import type { SqlDatabase } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { LATEST_SCHEMA, prepareSchema } from "./schema.ts";
import type { Table } from "./tables/table.ts";
import { tableNames, tables } from "./tables/tables.ts";

/** Tables of the SQLite store itself and of its migrations, which no change names. */
const INTERNAL =
  /^(commit_marks|migrations.*|message_index|unlisted_messages|message_words.*|passage_(files|index|words.*))$/u;

const more = [...migrations, { name: "9999-more", statements: ["create table extra (id text primary key) strict"] }];

describe("the schema", () => {
  test("the migrations create the tables, columns, keys and indexes that are declared", async () => {
    using migrated = opened();
    await prepareSchema(migrated);
    using declared = opened();
    for (const statement of declaredSchema()) declared.run(statement);
    const [present, expected] = [schemaOf(migrated), schemaOf(declared)];
    for (const name of Object.keys(present)) if (INTERNAL.test(name)) delete present[name];
    expect(Object.keys(present).toSorted()).toEqual(tableNames.toSorted());
    for (const name of tableNames) expect([name, present[name]]).toEqual([name, expected[name]]);
  });

  test("every table that grows with use declares its retention, and an index leads by the instant", () => {
    for (const [name, { growsWith, retention, indexes, columns }] of Object.entries<Table>(tables)) {
      expect([name, retention !== undefined]).toEqual([name, growsWith === "use"]);
      if (typeof retention !== "object") continue;
      const { since } = retention;
      expect([name, columns[since]?.storage]).toEqual([name, "integer"]);
      const leading = Object.values(indexes ?? {}).filter(({ on, where }) => on[0] === since && where?.is !== "=");
      expect([name, leading.length]).toEqual([name, 1]);
    }
  });

  test("a new database can return free pages, and an older one keeps its mode", async () => {
    using database = opened();
    await prepareSchema(database);
    expect(database.all("pragma auto_vacuum")).toEqual([{ auto_vacuum: 2 }]);
    using older = opened();
    for (const { statements } of migrations.slice(0, 1)) for (const statement of statements) older.run(statement);
    expect(older.all("pragma auto_vacuum")).toEqual([{ auto_vacuum: 0 }]);
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

  test("messages from before the migration are indexed later: with their last edit, and without deleted ones", async () => {
    using database = opened();
    await prepareSchema(
      database,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === "0037-search"),
      ),
    );
    const events = [
      ["room:one", "e1", "message", { text: "kept" }],
      ["room:one", "e2", "message", { text: "edited" }],
      ["room:one", "e3", "message", { text: "deleted" }],
      ["room:one", "e4", "message-edited", { message: "e2" }],
      ["room:one", "e5", "message-deleted", { message: "e3" }],
      ["room:one", "e6", "message-edited", { message: "e2" }],
      ["room:one", "e7", "message-edited", null],
      ["house:one", "e8", "message", { text: "of another kind" }],
    ] as const;
    for (const [index, [stream, id, type, body]] of events.entries())
      database.run("insert into events (stream, offset, id, type, at, body) values (?, ?, ?, ?, 7, ?)", [
        ...[stream, index + 1, id, type],
        body === null ? null : JSON.stringify(body),
      ]);
    await prepareSchema(database);
    expect(database.all("select room, offset, edit, pending from message_index order by id")).toEqual([
      { room: "one", offset: 1, edit: null, pending: 1 },
      { room: "one", offset: 2, edit: 6, pending: 1 },
      { room: "one", offset: 7, edit: null, pending: 1 },
    ]);
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

/** What SQLite knows about each table. The order of columns does not matter, nor do defaults. */
const schemaOf = (database: SqlDatabase): Record<string, unknown> => {
  const tables = database.all(
    "select name, wr, strict from pragma_table_list where schema = 'main' and name not like 'sqlite%'",
  );
  return Object.fromEntries(
    tables.map(({ name, wr, strict }) => {
      const columns = database.all(
        `select name, type, "notnull", pk, hidden from pragma_table_xinfo('${String(name)}') order by name`,
      );
      return [String(name), { wr, strict, columns, indexes: indexesOf(database, String(name)) }];
    }),
  );
};

const indexesOf = (database: SqlDatabase, table: string): readonly unknown[] =>
  database
    .all(
      `select list.name, "unique", origin, partial, sql from pragma_index_list('${table}') as list
        join sqlite_schema as entry on entry.name = list.name order by list.name`,
    )
    .map(({ sql, ...index }) => ({
      ...index,
      columns: database.all(
        `select name, "desc", coll from pragma_index_xinfo('${String(index["name"])}') where key = 1 order by seqno`,
      ),
      where: / where (.+)$/u.exec(String(sql))?.[1],
    }));

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("the present schema or the one before it has a golden home, made by tests/golden/make.ts", () => {
  const homes = readdirSync(new URL("../../../../../tests/golden", import.meta.url));
  const schemas = homes.flatMap((name) => /^schema-(\d+)\.tar\.gz$/.exec(name)?.[1] ?? []);
  expect(Math.max(...schemas.map(Number))).toBeGreaterThanOrEqual(LATEST_SCHEMA - 1);
});

test("the name of a new step sorts after all older ones, because steps run in the order of their names", () => {
  const names = migrations.map(({ name }) => name);
  const since = names.indexOf("0048-passages");
  const later = names.slice(since);
  expect(later).toEqual(later.toSorted());
  expect(names.slice(0, since).every((name) => name < "0048-passages")).toBe(true);
});

test("LATEST is the number of migrations", () => {
  expect(LATEST_SCHEMA).toBe(migrations.length);
});
