/**
 * The SQLite interface that the store needs: one connection, synchronous. The adapter implements
 * it.
 */
import type { Value } from "./tables/tables.ts";

/**
 * Contract:
 * - statements are prepared once per text
 * - throws `store.unavailable` when the disk fails, `store.locked` when another process writes for
 *   too long, and `store.foreign` when the file is not a database; any other error is a bug in the
 *   statement
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
  /** Free bytes on the file's disk; `Infinity` for an in-memory database. */
  spare(): number;
  /** SQLite ends a transaction itself after some failures. */
  inTransaction(): boolean;
  close(): void;
}
