/**
 * Runs the missing steps of the schema. It is imported only if there are any, because Kysely adds
 * about 25 ms to a start.
 */
import { CompiledQuery, Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { SqlDatabase } from "./database.ts";
import { createDialect } from "./dialect.ts";
import type { SchemaStep } from "./migrations/step.ts";

/** Runs inside the caller's transaction: all steps or none. */
export const migrate = async (database: SqlDatabase, steps: readonly SchemaStep[]): Promise<void> => {
  const kysely = new Kysely<unknown>({ dialect: createDialect(database) });
  const migrator = new Migrator({
    db: kysely,
    disableTransactions: true,
    // Some released steps have names that sort before older ones.
    allowUnorderedMigrations: true,
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
    provider: {
      getMigrations: () =>
        Promise.resolve(
          Object.fromEntries(
            steps.map(({ name, statements }) => [
              name,
              {
                async up(db: Kysely<unknown>) {
                  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
                },
              },
            ]),
          ),
        ),
    },
  });
  const { error } = await migrator.migrateToLatest();
  await kysely.destroy();
  if (error !== undefined) throw error;
};
