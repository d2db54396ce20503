/**
 * The SQLite interface that the store needs: one connection, synchronous. The adapter implements
 * it.
 */
import { HearthError } from "@hearth/protocol";
import type { Value } from "./tables/table.ts";

/** The disk has no space for a write, so the write is incomplete. */
export class DiskFull extends HearthError {
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
 * - throws `DiskFull` when the disk has no space, `store.unavailable` when the disk fails,
 *   `store.locked` when another process writes for too long, and `store.foreign` when the file is
 *   not a database; any other error is a bug in the statement
 */
export interface SqlDatabase {
  /**
   * Runs one statement. `conflict`: it would have violated a key or a unique index, and changed
   * nothing.
   */
  run(sql: string, parameters?: readonly Value[]): "done" | "conflict";
  /** Runs one statement and returns its rows. */
  all(sql: string, parameters?: readonly Value[]): readonly Readonly<Record<string, Value>>[];
  /**
   * Whether later transactions are synced when they commit (`full`), or with the next full one
   * (`normal`). Not within a transaction.
   */
  setSync(mode: "full" | "normal"): void;
  /**
   * How many pages of the write-ahead log are not in the database file yet; 0 if SQLite does not
   * say. Cheap.
   */
  logPages(): number;
  /**
   * Copies the log to the database file on another thread, so that its syncs stop nothing here.
   * Commits continue meanwhile. Resolves when the copy has ended, also if another process or a
   * reader prevented it.
   */
  copyLog(): Promise<void>;
  /**
   * Writes what is in the log to the disk, on another thread, so that the sync of the next commit
   * has little to do. Resolves also if the disk refuses: that commit reports it.
   */
  syncLog(): Promise<void>;
  /** Free bytes on the file's disk; `Infinity` for an in-memory database. */
  spare(): number;
  /** SQLite ends a transaction itself after some failures. */
  inTransaction(): boolean;
  close(): void;
}
