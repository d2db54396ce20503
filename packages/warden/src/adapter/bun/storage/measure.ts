/**
 * Measures the space of a home by kind of data, running or not, and changes nothing. Reads the
 * whole database, so a daemon does it in another process.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StorageKind, StorageReport } from "@hearth/protocol";
import type { Config } from "../../../kernel/config/schema.ts";
import { ageingTables } from "../../../kernel/journal/prune.ts";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { type TableName, tables } from "../../../kernel/store/tables/tables.ts";
import { REPLACED, REPLACEMENT } from "../home.ts";
import { openSqlite } from "../sqlite.ts";

export interface MeasureOptions {
  /** UTC milliseconds. */
  readonly now: number;
  readonly retention: Config["retention"];
  /** Number of days that the activation log is kept. */
  readonly logDays: number;
}

/** Number of days for which the growth is shown. */
const SHOWN_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The kind of each table that grows with use. The other tables are settings. */
const KIND_OF_TABLE: { readonly [Table in TableName]?: StorageKind } = {
  activations: "turns",
  steps: "turns",
  step_files: "turns",
  approvals: "turns",
  egress: "turns",
  inbox: "turns",
  spend: "turns",
  model_usage: "turns",
  brain_versions: "versions",
  brain_bodies: "versions",
  brain_lines: "versions",
  brain_proposals: "versions",
  inbound: "channels",
  outbox: "channels",
  conversations: "channels",
  senders: "channels",
  job_slots: "jobs",
  job_deliveries: "jobs",
  compactions: "messages",
  uploads: "messages",
  upload_parts: "messages",
  upload_texts: "messages",
  upload_pictures: "messages",
  attachments: "messages",
  transcripts: "messages",
  picture_descriptions: "messages",
  speeches: "messages",
  byte_streams: "streams",
  byte_producers: "streams",
};

/** The full-text indexes of messages and of attachments have several tables. */
const kindOfTable = (name: string): StorageKind =>
  /^(?:message|passage)_/.test(name) ? "messages" : (KIND_OF_TABLE[name as TableName] ?? "settings");

/** The kind of each stream, by the part of its name before the colon. */
const KIND_OF_STREAM: Readonly<Record<string, StorageKind>> = { room: "messages", audit: "audit", bytes: "streams" };

/** The kind of each folder of the home. */
const KIND_OF_FOLDER: Readonly<Record<string, StorageKind>> = {
  blobs: "blobs",
  brains: "brains",
  cache: "cache",
  copies: "copies",
  logs: "logs",
  [REPLACEMENT]: "copies",
  [REPLACED]: "copies",
};

/** The instants of rows from which the growth of each day is computed. */
const TIMESTAMP_COLUMNS: readonly (readonly [TableName, string])[] = [
  ["events", "at"],
  ["uploads", "created_at"],
  ["activations", "created_at"],
  ["steps", "started_at"],
  ["approvals", "at"],
  ["egress", "at"],
  ["inbox", "at"],
  ["brain_versions", "at"],
  ["inbound", "received_at"],
  ["outbox", "created_at"],
  ["job_slots", "fired_at"],
];

export const measureStorage = async (home: string, options: MeasureOptions): Promise<StorageReport> => {
  const database = openSqlite(join(home, "hearth.db"));
  try {
    database.all("pragma query_only = true");
    const files = await measureFiles(home, options.now);
    const rows = measureRows(database);
    const days = new Map(files.days);
    for (const [day, bytes] of growthOf(database, rows, options.now)) days.set(day, (days.get(day) ?? 0) + bytes);
    // The kind `settings` has rows and files, so both are added.
    const sums = new Map(rows.kinds);
    for (const [kind, bytes] of files.kinds) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
    const archivedBytes = numberOf(database, "select sum(size) from audit_segments");
    sums.set("audit", (sums.get("audit") ?? 0) + archivedBytes);
    sums.set("blobs", Math.max(0, (sums.get("blobs") ?? 0) - archivedBytes));
    const kinds = [...sums].filter(([, bytes]) => bytes > 0);
    return {
      measuredAt: options.now,
      totalBytes: kinds.reduce((sum, [, bytes]) => sum + bytes, 0),
      kinds: kinds.map(([kind, bytes]) => ({ kind, bytes })).toSorted((a, b) => b.bytes - a.bytes),
      days: [...days].toSorted(([a], [b]) => a - b).map(([day, bytes]) => ({ day: nameOfDay(day), bytes })),
      retention: retentionOf(database, options),
      isShrinking: numberOf(database, "pragma auto_vacuum") === 2,
    };
  } finally {
    database.close();
  }
};

interface Rows {
  readonly kinds: ReadonlyMap<StorageKind, number>;
  /**
   * For each table, the bytes of its pages divided by the bytes of its rows. Above 1, because of
   * indexes and free space.
   */
  readonly factors: ReadonlyMap<TableName, number>;
}

const measureRows = (database: SqlDatabase): Rows => {
  const sizes = new Map<string, number>();
  const trees = database.all(
    `select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name)
      where aggregate = true group by tbl_name`,
  );
  for (const { name, bytes } of trees) sizes.set(String(name), Number(bytes));
  const kinds = new Map<StorageKind, number>();
  const add = (kind: StorageKind, bytes: number): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + bytes);
  for (const [name, bytes] of sizes) if (name !== "events") add(kindOfTable(name), bytes);
  const factors = new Map(
    TIMESTAMP_COLUMNS.map(([table]) => [
      table,
      share(sizes.get(table), numberOf(database, `select sum(${lengthOf(table)}) from "${table}"`)),
    ]),
  );
  const streams = database.all(
    `select substr(stream, 1, instr(stream, ':') - 1) as kind, sum(${lengthOf("events")}) as bytes
      from events group by 1`,
  );
  for (const { kind, bytes } of streams)
    add(KIND_OF_STREAM[String(kind)] ?? "events", Math.round(Number(bytes) * (factors.get("events") ?? 0)));
  add("free", numberOf(database, "pragma freelist_count") * numberOf(database, "pragma page_size"));
  return { kinds, factors };
};

const share = (bytes: number | undefined, length: number): number => (length === 0 ? 0 : (bytes ?? 0) / length);

/** Returns the bytes that each day added to the database and that are still there. */
const growthOf = (database: SqlDatabase, { factors }: Rows, now: number): ReadonlyMap<number, number> => {
  const today = Math.floor(now / DAY_MS);
  const days = new Map<number, number>();
  for (const [table, at] of TIMESTAMP_COLUMNS) {
    const dayRows = database.all(
      `select "${at}" / ${DAY_MS} as day, sum(${lengthOf(table)}) as bytes from "${table}"
        where "${at}" >= ${(today - SHOWN_DAYS + 1) * DAY_MS} group by 1`,
    );
    for (const { day, bytes } of dayRows) {
      const size = Math.round(Number(bytes) * (factors.get(table) ?? 0));
      days.set(Number(day), (days.get(Number(day)) ?? 0) + size);
    }
  }
  return days;
};

const lengthOf = (table: TableName): string =>
  Object.keys(tables[table].columns)
    .map((column) => `ifnull(octet_length("${column}"), 0)`)
    .join(" + ");

/** Counts the rows that the next sweeps delete. The last outcome of each job stays, although it is counted. */
const retentionOf = (
  database: SqlDatabase,
  { now, retention, logDays }: MeasureOptions,
): StorageReport["retention"] => {
  const countDue = (table: string, since: string, days: number): StorageReport["retention"][number] => {
    const dueBefore = now - days * DAY_MS;
    const [row] = database.all(
      `select count(*) as week, count(case when "${since}" <= ${dueBefore} then 1 end) as due, min("${since}") as oldest
        from "${table}" where "${since}" <= ${dueBefore + 7 * DAY_MS}`,
    );
    const [oldestRow] = database.all(`select min("${since}") as oldest from "${table}" where "${since}" is not null`);
    const oldest = oldestRow?.["oldest"];
    return {
      table,
      days,
      due: Number(row?.["due"] ?? 0),
      dueInWeek: Number(row?.["week"] ?? 0),
      ...(typeof oldest === "number" ? { nextAt: oldest + days * DAY_MS } : {}),
    };
  };
  return [
    countDue("activations", "ended_at", logDays),
    ...ageingTables.map(({ name, retention: { since, setting } }) =>
      countDue(name, since, setting === "deliveryDays" ? Math.max(retention[setting], logDays) : retention[setting]),
    ),
  ];
};

/** Returns the sizes of the home's folders, and of the blobs of each day. Links are not followed. */
const measureFiles = async (
  home: string,
  now: number,
): Promise<{ readonly kinds: ReadonlyMap<StorageKind, number>; readonly days: ReadonlyMap<number, number> }> => {
  const kinds = new Map<StorageKind, number>();
  const days = new Map<number, number>();
  const firstDay = Math.floor(now / DAY_MS) - SHOWN_DAYS + 1;
  const visit = async (path: string, kind: StorageKind): Promise<void> => {
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isDirectory() === true) {
      for (const name of await readdir(path).catch(() => [])) await visit(join(path, name), kindIn(kind, name));
      return;
    }
    if (stat?.isFile() !== true) return;
    kinds.set(kind, (kinds.get(kind) ?? 0) + stat.size);
    const day = Math.floor(stat.mtimeMs / DAY_MS);
    if (kind === "blobs" && day >= firstDay) days.set(day, (days.get(day) ?? 0) + stat.size);
  };
  for (const name of await readdir(home)) {
    // The pages of the database are counted by table.
    if (name === "hearth.db") continue;
    await visit(join(home, name), KIND_OF_FOLDER[name] ?? (name.startsWith("hearth.db-") ? "log" : "settings"));
  }
  return { kinds, days };
};

/** Returns the kind of a name in a folder of this kind. Some folders of a brain have a separate kind. */
const kindIn = (kind: StorageKind, name: string): StorageKind =>
  kind === "brains" && name === "workspace" ? "work" : kind === "brains" && name === "db" ? "index" : kind;

const numberOf = (database: SqlDatabase, statement: string): number =>
  Number(Object.values(database.all(statement)[0] ?? {})[0] ?? 0);

const nameOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
