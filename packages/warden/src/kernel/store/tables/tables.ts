/** The tables of `hearth.db`, each declared once, and the types of their rows. */
import { brainTables } from "./brain-tables.ts";
import { channelTables } from "./channel-tables.ts";
import { compactionTables } from "./compaction-tables.ts";
import { eventTables } from "./event-tables.ts";
import { jobTables } from "./job-tables.ts";
import { policyTables } from "./policy-tables.ts";
import { recordTables } from "./record-tables.ts";
import { restoreTables } from "./restore-tables.ts";
import { secretTables } from "./secret-tables.ts";
import { streamTables } from "./stream-tables.ts";
import type { Column } from "./table.ts";
import { turnTables } from "./turn-tables.ts";

export const tables = {
  ...recordTables,
  ...eventTables,
  ...turnTables,
  ...brainTables,
  ...jobTables,
  ...compactionTables,
  ...channelTables,
  ...policyTables,
  ...secretTables,
  ...streamTables,
  ...restoreTables,
};

type Declared = typeof tables;
type TypeOf<Declaration> = Declaration extends Column<infer Type> ? Type : never;

export type TableName = keyof Declared;
/** Tables that callers write directly. The others are written by `append`. */
export type WritableTable = Exclude<TableName, "events" | "heads">;
/** A row of a table. */
export type Row<Name extends TableName> = {
  readonly [Column in keyof Declared[Name]["columns"]]: TypeOf<Declared[Name]["columns"][Column]>;
};

export const tableNames = Object.keys(tables) as readonly TableName[];
