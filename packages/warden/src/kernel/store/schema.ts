/** Makes sure that a database is Hearth's and of this version, and brings it there if it is new or older. */
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import type { SchemaStep } from "./migrations/step.ts";

/** "HRTH": tells our databases from all others. */
const APPLICATION_ID = 0x48_52_54_48;

/**
 * Throws `store.foreign` for a database that another program or a newer Hearth wrote, which stays as it was. `copy` is called
 * before an older database is changed. Costs two pragmas when there is nothing to do.
 */
export const prepareSchema = async (
  database: SqlDatabase,
  steps: readonly SchemaStep[] = migrations,
  copy: (version: number) => void | Promise<void> = () => {},
): Promise<void> => {
  const version = versionOf(database, steps.length);
  if (version === steps.length) return;
  if (version > 0) await copy(version);
  const { migrate } = await import("./migrate.ts");
  database.run("begin immediate");
  try {
    // Another process may have been faster.
    if (versionOf(database, steps.length) < steps.length) {
      await migrate(database, steps);
      database.all(`pragma application_id = ${APPLICATION_ID}`);
      database.all(`pragma user_version = ${steps.length}`);
    }
    database.run("commit");
  } catch (error) {
    if (database.inTransaction()) database.run("rollback");
    throw error;
  }
};

/** How many steps this database has seen. */
const versionOf = (database: SqlDatabase, latest: number): number => {
  const application = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  if (application === APPLICATION_ID) {
    if (version <= latest) return version;
    throw new HearthError("store.foreign", `The database has schema ${version}; this Hearth knows ${latest}.`, {
      hint: "A newer Hearth wrote it: start that one, or put the copy from before its update, in the folder `copies` of the home, in its place.",
    });
  }
  if (application === 0 && version === 0 && database.all("select 1 from sqlite_schema limit 1").length === 0) return 0;
  throw new HearthError("store.foreign", "The database is not Hearth's.", {
    hint: "Another program wrote it. Move the file away, or choose another home folder.",
  });
};

const pragma = (database: SqlDatabase, name: string): number => {
  const [row] = database.all(`pragma ${name}`);
  return Number(row?.[name]);
};
