import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";
import { migrations } from "../../kernel/store/migrations/index.ts";
import { prepareSchema } from "../../kernel/store/schema.ts";
import { copyBeforeUpdate, removeCopies } from "./schema-copies.ts";
import { openSqlite } from "./sqlite.ts";

const more = [...migrations, { name: "9999-more", statements: ["create table extra (id text primary key) strict"] }];

const createHome = () => {
  const home = mkdtempSync(join(tmpdir(), "hearth-copies-"));
  return {
    home,
    copies: (): readonly string[] => readdirSync(join(home, "copies")).toSorted(),
    open: (name = "hearth.db"): SqlDatabase & Disposable => {
      const database = openSqlite(join(home, name));
      return { ...database, [Symbol.dispose]: () => database.close() };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
};

describe("an older database that is updated", () => {
  test("is copied first, unchanged, readable for its owner only", async () => {
    using place = createHome();
    const { home } = place;
    using database = place.open();
    await prepareSchema(database);
    database.all("pragma journal_mode = wal");
    database.run("insert into heads (stream, head) values ('s', 7)");
    const copy = (version: number): void => void copyBeforeUpdate(database, { home, version, now: 5 });
    await prepareSchema(database, more, copy);
    const name = `hearth-schema-${migrations.length}-5.db`;
    expect(place.copies()).toEqual([name]);
    expect(statSync(join(home, "copies", name)).mode & 0o777).toBe(0o600);
    using old = place.open(join("copies", name));
    // The copy can replace the database: the previous version of Hearth accepts it.
    await prepareSchema(old);
    expect(old.all("select head from heads")).toEqual([{ head: 7 }]);
    expect(old.all("select 1 from sqlite_schema where name = 'extra'")).toEqual([]);
  });

  test("stays unchanged when the disk has no room for the copy and the update", async () => {
    using place = createHome();
    const { home } = place;
    using database = place.open();
    await prepareSchema(database);
    // Enough for the copy, and not for an update that writes every table.
    const spareBytes = 16 * 1024 * 1024 + 2 * statSync(join(home, "hearth.db")).size;
    const full = { ...database, freeBytes: () => spareBytes };
    const copy = (version: number): void => void copyBeforeUpdate(full, { home, version, now: 5 });
    const failure: unknown = await prepareSchema(full, more, copy).catch((error: unknown) => error);
    expect(isHearthError(failure, "store.unavailable")).toBe(true);
    expect(String(failure)).toContain("cannot update the database: a copy in");
    expect(database.all("pragma user_version")).toEqual([{ user_version: migrations.length }]);
  });

  test("has its newest two copies kept", async () => {
    using place = createHome();
    const { home } = place;
    using database = place.open();
    await prepareSchema(database);
    for (const now of [5, 30, 100]) copyBeforeUpdate(database, { home, version: 1, now });
    expect(place.copies()).toEqual(["hearth-schema-1-100.db", "hearth-schema-1-30.db"]);
  });
});

test("a new database, and one that is up to date, are not copied", async () => {
  using place = createHome();
  using database = place.open();
  const copy = (): void => {
    throw new Error("copied");
  };
  await prepareSchema(database, migrations, copy);
  await prepareSchema(database, migrations, copy);
});

test("`removeCopies` removes all of them, and needs none", async () => {
  using place = createHome();
  const { home } = place;
  removeCopies(home);
  using database = place.open();
  copyBeforeUpdate(database, { home, version: 1, now: 5 });
  removeCopies(home);
  expect(place.copies()).toEqual([]);
});
