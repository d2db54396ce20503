/** Opens the database of a home. A new database is created only in a new home. */
import { existsSync } from "node:fs";
import { HearthError, type World } from "@hearth/protocol";
import type { Config } from "../../kernel/config/schema.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { SqlDatabase } from "../../kernel/store/database.ts";
import type { Sealer } from "../../kernel/store/seal.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Home } from "./home.ts";
import { openSqlite } from "./sqlite.ts";

export interface HomeStore {
  /** Closing the store also closes the database. */
  readonly store: Store;
  /**
   * Renews the generation of the database. Until then, the generation of the previous start is
   * valid. Logs a failure.
   */
  renewGeneration(): Promise<void>;
}

/**
 * Opens the database as the store of a house that starts. An older database is copied and updated.
 * When it is unknown whether a commit was applied, the process ends. Throws `store.*`.
 */
export const openHomeStore = async (options: {
  readonly home: Pick<Home, "folder" | "path">;
  readonly world: World;
  readonly log: Log;
  readonly durability: Config["store"]["durability"];
  readonly sealer: Sealer;
}): Promise<HomeStore> => {
  const { home, world, log, durability, sealer } = options;
  const path = home.path("hearth.db");
  if (existsSync(`${path}-wal`)) (await import("./generation.ts")).checkGeneration(path);
  // The blobs folder is created after the database, so if it exists there was a database.
  const database = openHomeDatabase(path, { isUsed: existsSync(home.path("blobs")) });
  const sqlite = await createSqliteStore({
    database,
    clock: world.clock,
    durability,
    sealer,
    async copy(version) {
      const { copyBeforeUpdate } = await import("./schema-copies.ts");
      const copyPath = copyBeforeUpdate(database, { home: home.folder, version, now: world.clock.now() });
      log.write("info", "the database was copied and is being updated", { version, path: copyPath });
    },
    onUnknownOutcome: (error) => endProcess(log, error),
  });
  return {
    store: {
      ...sqlite,
      async scrub() {
        await sqlite.scrub();
        const { removeCopies } = await import("./schema-copies.ts");
        removeCopies(home.folder);
      },
      [Symbol.asyncDispose]: () => sqlite[Symbol.asyncDispose](),
    },
    async renewGeneration() {
      const { renewGeneration } = await import("./generation.ts");
      try {
        renewGeneration(database, path, world.ids.fresh("evt"));
      } catch (error) {
        log.write("warn", "could not renew the generation of the database", { error });
      }
    },
  };
};

/**
 * Ends the process without closing its parts in order, because its memory may depend on a commit
 * that was never applied.
 */
const endProcess = (log: Log, error: HearthError): void => {
  log.write("error", "Hearth ends: it is unknown whether the last commit was applied. Start it again", { error });
  process.stderr.write(`hearth: ${error.message} ${error.hint ?? ""}\n`);
  process.exit(1);
};

/**
 * Throws `store.unavailable` when a used home has lost its database, because it would look like an
 * empty house.
 */
export const openHomeDatabase = (path: string, { isUsed }: { readonly isUsed: boolean }): SqlDatabase => {
  const database = openSqlite(path);
  try {
    if (isUsed && database.all("select 1 from sqlite_schema limit 1").length === 0) throw lostDatabaseError(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const lostDatabaseError = (path: string): HearthError =>
  new HearthError("store.unavailable", `${path} is empty, although this home has been used.`, {
    hint: "Restore it from a backup. To start with an empty house, move the home's `blobs` folder elsewhere as well.",
  });
