/** Checks that a database belongs to Hearth, and migrates it to the current version. */
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import type { SchemaStep } from "./migrations/step.ts";

/** The id "HRTH" of Hearth's databases. */
const APPLICATION_ID = 0x48_52_54_48;

/** The number of migrations. They are loaded only for a database that needs them. */
export const LATEST_SCHEMA = 49;

/**
 * Checks and migrates the database. Throws `store.foreign` for a database of another program or a
 * newer Hearth, without changing it. Calls `copy` before it changes an older database. If there is
 * nothing to do, it costs two pragmas.
 */
export const prepareSchema = async (
  database: SqlDatabase,
  customSteps?: readonly SchemaStep[],
  copy: (version: number) => void | Promise<void> = () => {},
): Promise<void> => {
  const latest = customSteps?.length ?? LATEST_SCHEMA;
  const version = readSchemaVersion(database, latest);
  if (version === latest) return;
  if (version > 0) await copy(version);
  const steps = customSteps ?? (await import("./migrations/index.ts")).migrations;
  const { migrate } = await import("./migrate.ts");
  // This is possible only before the first table. An older file keeps its mode, because a change
  // would rewrite the whole file.
  if (version === 0) database.all("pragma auto_vacuum = incremental");
  database.run("begin immediate");
  try {
    // Another process may have migrated it.
    if (readSchemaVersion(database, latest) < latest) {
      await migrate(database, steps);
      database.all(`pragma application_id = ${APPLICATION_ID}`);
      database.all(`pragma user_version = ${latest}`);
    }
    database.run("commit");
  } catch (error) {
    if (database.inTransaction()) database.run("rollback");
    throw error;
  }
};

/** Whether the database has the current schema. Throws like `prepareSchema`. */
export const isCurrentSchema = (database: Pick<SqlDatabase, "all">): boolean =>
  readSchemaVersion(database, LATEST_SCHEMA) === LATEST_SCHEMA;

/** Returns the number of steps that this database has. Throws like `prepareSchema`. */
export const readSchemaVersion = (database: Pick<SqlDatabase, "all">, latest: number): number => {
  const application = readPragma(database, "application_id");
  const version = readPragma(database, "user_version");
  if (application === APPLICATION_ID) {
    if (version <= latest) return version;
    throw new HearthError(
      "store.foreign",
      `The database has schema ${version}, and this version of Hearth knows only ${latest}.`,
      {
        hint: "A newer Hearth wrote it. Start that version, or replace the database by the copy from before the update, in the folder `copies` of the home.",
      },
    );
  }
  if (application === 0 && version === 0 && database.all("select 1 from sqlite_schema limit 1").length === 0) return 0;
  throw new HearthError("store.foreign", "The file is not a Hearth database.", {
    hint: "Another program wrote it. Move the file away, or choose another home folder.",
  });
};

const readPragma = (database: Pick<SqlDatabase, "all">, name: string): number => {
  const [row] = database.all(`pragma ${name}`);
  return Number(row?.[name]);
};
