/** A Kysely dialect over `SqlDatabase` for migrations: one connection, complete results. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqlDatabase } from "./database.ts";
import type { Value } from "./tables/table.ts";

/**
 * Creates the dialect. It leaves the database open when Kysely is destroyed, because the caller
 * owns the database.
 */
export const createDialect = (database: SqlDatabase): Dialect => {
  const connection: DatabaseConnection = {
    executeQuery: <Result>({ sql, parameters }: CompiledQuery) =>
      Promise.resolve({ rows: database.all(sql, parameters as readonly Value[]) as Result[] }),
    streamQuery() {
      throw new TypeError("migrations do not stream");
    },
  };
  const run = (sql: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      beginTransaction: async () => void (await run("begin immediate")),
      commitTransaction: async () => void (await run("commit")),
      rollbackTransaction: async () => void (await run("rollback")),
      releaseConnection: () => Promise.resolve(),
      destroy: () => Promise.resolve(),
    }),
  };
};
