/**
 * Reports about the daemon and its home: health, status, checks, log, storage, updates and repairs.
 */
import { z } from "zod";
import { CellInfo } from "../agents/cell.ts";
import { LogLevel } from "../base/log-level.ts";
import { Durability } from "./durability.ts";

/** The answer to a health check of a monitor. */
export const Health = z.object({
  status: z.string(),
  /** The parts that do not work. Absent if all do. */
  failing: z.array(z.enum(["readers", "tunnel"])).optional(),
});
export type Health = z.infer<typeof Health>;

/**
 * The page of the UI where a person can fix a failed check. `agent` and `proposals` are pages of
 * one agent.
 */
export const CheckPage = z.enum([
  ...(["account", "agent", "audit", "backups", "channels", "models", "proposals", "restore"] as const),
]);
export type CheckPage = z.infer<typeof CheckPage>;

/**
 * `ok`: no action is needed. `absent`: the checked thing is not installed, and no configuration
 * requires it.
 */
export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  absent: z.literal(true).optional(),
  detail: z.string(),
  fix: z.string().optional(),
  page: CheckPage.optional(),
  /** The handle of the agent to which the page belongs. */
  agent: z.string().optional(),
});
export type Check = z.infer<typeof Check>;
export const CheckList = z.array(Check);
export const LogQuery = z.object({
  /** Leaves out lines below this level. */
  level: LogLevel.default("debug"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type LogQuery = z.infer<typeof LogQuery>;

/** A line of the daemon's log. It never contains message text, keys or the queries of URLs. */
export const LogLine = z.object({
  at: z.int(),
  level: LogLevel,
  message: z.string(),
  /** The other fields of the line. */
  fields: z.record(z.string(), z.unknown()),
});
export type LogLine = z.infer<typeof LogLine>;

/** The last lines of the log file. */
export const LogReport = z.object({
  /** Oldest first. */
  lines: z.array(LogLine),
  /** Whether the house writes the file: `[log] to` contains `file`. */
  isWritten: z.boolean(),
});
export type LogReport = z.infer<typeof LogReport>;

/**
 * Kinds of data that take space in a home. `free`: unused pages of the database, which are reused
 * or returned.
 */
export const storageKinds = [
  ...(["messages", "turns", "audit", "events", "streams", "versions", "channels", "jobs", "settings"] as const),
  ...(["free", "log", "blobs", "brains", "work", "index", "cache", "copies", "logs"] as const),
] as const;
export type StorageKind = (typeof storageKinds)[number];

/** The space that each kind of data takes, the growth per day, and the rows that will be deleted. */
export const StorageReport = z.object({
  measuredAt: z.int(),
  totalBytes: z.int(),
  /** Largest first. The sizes of tables include their indexes. */
  kinds: z.array(z.object({ kind: z.enum(storageKinds), bytes: z.int() })),
  /**
   * Bytes that each day (UTC) added to the database and the blobs and that are still there.
   * Estimated.
   */
  days: z.array(z.object({ day: z.string(), bytes: z.int() })),
  retention: z.array(
    z.object({
      table: z.string(),
      /** How many days its rows are kept after they are finished. */
      days: z.int(),
      /** Rows that the next sweep deletes, and those that become due within a week. */
      due: z.int(),
      dueInWeek: z.int(),
      /** When the oldest finished row becomes due. Absent: no row is finished. */
      nextAt: z.int().optional(),
    }),
  ),
  /**
   * Whether the database file shrinks. One from an older version keeps its size and uses free pages
   * again.
   */
  isShrinking: z.boolean(),
});
export type StorageReport = z.infer<typeof StorageReport>;

/** The update that the next start makes, and the copy that can undo the last one. */
export const UpdateReport = z.object({
  /** The version that runs, and the one that is installed and runs after the next start. */
  running: z.string(),
  installed: z.string(),
  /** The schema of the database, and that of the installed version. */
  from: z.int(),
  to: z.int(),
  /** Names of the changes of the schema. */
  steps: z.array(z.string()),
  neededBytes: z.int(),
  freeBytes: z.int(),
  estimatedMs: z.int(),
  /** Turns that resume after the next start. */
  openTurns: z.int(),
  /** Why the update cannot be done. Empty: it can. */
  problems: z.array(z.string()),
  /** The copy of the database that the last update made, and what was added since. */
  copy: z.object({ schema: z.int(), at: z.int(), messages: z.int(), events: z.int(), turns: z.int() }).optional(),
});
export type UpdateReport = z.infer<typeof UpdateReport>;

/** The outcome of `hearth repair`. */
export const RepairReport = z.object({
  /** Where the original files were copied. Null: nothing was damaged, and nothing was changed. */
  copy: z.string().nullable(),
  /** Lost events; each has a placeholder in its stream. */
  lost: z.array(z.object({ stream: z.string(), offset: z.int() })),
  /** Tables that had damaged pages, with their number of rows after the repair. */
  tables: z.array(z.object({ table: z.string(), kept: z.int(), damagedPages: z.int() })),
});
export type RepairReport = z.infer<typeof RepairReport>;

export const Status = z.object({
  version: z.string(),
  home: z.string(),
  /** Its address for this machine. */
  url: z.string(),
  /** Its address for browsers on other machines. Absent: only this machine can connect. */
  publicUrl: z.string().optional(),
  pid: z.int(),
  startedAt: z.int(),
  durability: Durability,
  houses: z.int(),
  rooms: z.int(),
  agents: z.int(),
  activations: z.object({ queued: z.int(), running: z.int() }),
  cells: z.array(CellInfo),
});
export type Status = z.infer<typeof Status>;
/** The answer to a request to stop the daemon. */
export const Stopping = z.object({ stopping: z.literal(true) });
