import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { prepareSchema } from "../../kernel/store/schema.ts";
import { checkGeneration, renewGeneration } from "./generation.ts";
import { openSqlite } from "./sqlite.ts";

const FILES = ["hearth.db", "hearth.db-wal", "hearth.db-shm", "hearth.db-generation"];

const createPlace = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-generation-"));
  return {
    path: join(folder, "hearth.db"),
    at: (name: string): string => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

type Place = ReturnType<typeof createPlace>;

/**
 * Starts the house and kills it, so that its log stays next to the database. The files are then
 * moved to `to`.
 */
const liveAndDie = async (place: Place, to: Place, generation: string): Promise<void> => {
  const database = openSqlite(place.path);
  try {
    await prepareSchema(database);
    database.all("pragma journal_mode = wal");
    renewGeneration(database, place.path, generation);
    database.run("insert or replace into heads (stream, head) values (?, 1)", [generation]);
    for (const name of FILES) if (existsSync(place.at(name))) copyFileSync(place.at(name), to.at(name));
  } finally {
    database.close();
  }
};

const check = (place: Place): unknown => {
  try {
    checkGeneration(place.path);
    return "fits";
  } catch (error) {
    return error;
  }
};

describe("a log beside the database", () => {
  test("of a killed house is accepted, in its place and in a copy", async () => {
    using place = createPlace();
    using killed = createPlace();
    using copy = createPlace();
    await liveAndDie(place, killed, "one");
    expect(check(killed)).toBe("fits");
    for (const name of FILES) copyFileSync(killed.at(name), copy.at(name));
    expect(check(copy)).toBe("fits");
  });

  test("is refused next to an older database, with a hint", async () => {
    using place = createPlace();
    using backup = createPlace();
    using killed = createPlace();
    await liveAndDie(place, backup, "one");
    await liveAndDie(place, killed, "two");
    copyFileSync(backup.path, killed.path);
    const error = check(killed);
    expect(isHearthError(error, "store.foreign")).toBe(true);
    expect(String((error as { hint?: string }).hint)).toContain("hearth.db-wal");
    rmSync(`${killed.path}-wal`);
    expect(check(killed)).toBe("fits");
  });

  test("is accepted when the renewal was interrupted before the checkpoint", async () => {
    using place = createPlace();
    using killed = createPlace();
    await liveAndDie(place, killed, "one");
    const database = openSqlite(killed.path);
    // A reader that blocks the checkpoint.
    const held = {
      ...database,
      all: (sql: string) => (sql.includes("checkpoint") ? [{ busy: 1 }] : database.all(sql)),
    };
    renewGeneration(held, killed.path, "two");
    using copy = createPlace();
    for (const name of FILES) copyFileSync(killed.at(name), copy.at(name));
    expect(readFileSync(copy.at("hearth.db-generation"), "utf8")).toBe("one\ntwo\n");
    expect(check(copy)).toBe("fits");
    database.close();
  });

  test("of a home from before generations is accepted", async () => {
    using place = createPlace();
    using killed = createPlace();
    await liveAndDie(place, killed, "one");
    rmSync(killed.at("hearth.db-generation"));
    expect(check(killed)).toBe("fits");
  });
});
