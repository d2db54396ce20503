/**
 * Loaded by the daemon of a journey before its own code. Appends each distinct statement that the
 * daemon prepares to a file, as one JSON string a line. `tests/check-statements.ts` reads the file.
 * Child processes of the daemon, such as a deep check, may read whole tables and do not record.
 */
import { Database } from "bun:sqlite";
import { appendFileSync } from "node:fs";

const file = process.env["HEARTH_STATEMENTS"];
delete process.env["HEARTH_STATEMENTS"];
delete process.env["BUN_OPTIONS"];

const QUERY = /^\s*(select|insert|update|delete|with)\b/iu;
const known = new Set<string>();

const record = (sql: string): void => {
  if (file === undefined || known.has(sql) || !QUERY.test(sql)) return;
  known.add(sql);
  appendFileSync(file, `${JSON.stringify(sql)}\n`);
};

for (const name of ["prepare", "query"] as const) {
  const original = Database.prototype[name] as (this: Database, sql: string, ...more: never[]) => unknown;
  Object.defineProperty(Database.prototype, name, {
    configurable: true,
    writable: true,
    value(this: Database, sql: string, ...more: never[]) {
      record(sql);
      return original.call(this, sql, ...more);
    },
  });
}
