/**
 * The interface of SQLite for the store: one connection with synchronous calls. The adapter
 * implements it.
 */
import { HearthError } from "@hearth/protocol";
import type { Value } from "./tables/table.ts";

/** The disk has no space for a write, so the write is incomplete. */
export class DiskFullError extends HearthError {
  constructor(message: string, cause?: unknown) {
    super("store.unavailable", message, {
      hint: "Free space on the disk that holds the home folder. Hearth needs no restart.",
      cause,
    });
  }
}

/**
 * Contract:
 * - statements are prepared once per text
 * - throws `DiskFullError` when the disk has no space, `store.unavailable` when the disk fails,
 *   `store.locked` when another process writes for too long, and `store.foreign` when the file is
 *   not a database; any other error is a bug in the statement
 */
export interface SqlDatabase {
  /**
   * Runs one statement. Returns `conflict` if it would have violated a key or a unique index. The
   * statement then changed nothing.
   */
  run(sql: string, parameters?: readonly Value[]): "done" | "conflict";
  /** Runs one statement and returns its rows. */
  all(sql: string, parameters?: readonly Value[]): readonly Readonly<Record<string, Value>>[];
  /**
   * Sets whether later transactions are synced when they commit (`full`), or with the next `full`
   * one (`normal`). Must not be called within a transaction.
   */
  setSync(mode: "full" | "normal"): void;
  /**
   * Returns the number of pages of the write-ahead log that are not in the database file yet, or
   * 0 if SQLite does not report it. Cheap.
   */
  logPages(): number;
  /**
   * Copies the log to the database file on another thread, so that its syncs do not block this
   * one. Commits continue meanwhile. Resolves when the copy has ended, even if another process or
   * a reader prevented it.
   */
  copyLog(): Promise<void>;
  /**
   * Syncs the log to the disk on another thread, so that the sync of the next commit has little
   * to do. Resolves even if the disk refuses: that commit reports the failure.
   */
  syncLog(): Promise<void>;
  /** Returns the free bytes on the file's disk, or `Infinity` for an in-memory database. */
  freeBytes(): number;
  /** Whether a transaction is open. SQLite ends a transaction itself after some failures. */
  inTransaction(): boolean;
  close(): void;
}
