/** All tables of `hearth.db`, each declared once in the file of its area, and the types of their rows. */
import { brainTables, compactionTables, jobTables } from "./agents.ts";
import { channelTables } from "./channels.ts";
import { eventTables, restoreTables, streamTables } from "./kernel.ts";
import { recordTables } from "./people.ts";
import { policyTables, secretTables } from "./policy.ts";
import { turnTables } from "./turns.ts";
import { uploadTables } from "./uploads.ts";
import type { Column } from "./table.ts";

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
  ...uploadTables,
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
