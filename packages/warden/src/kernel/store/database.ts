/** SQLite as the store needs it: one connection, synchronous. The adapter brings it. */
import type { Value } from "./tables/tables.ts";

/**
 * Contract:
 * - statements are prepared once per text
 * - throws `store.unavailable` when the disk fails, `store.locked` when another process writes for too long, and
 *   `store.foreign` when the file is no database; whatever else is thrown is a bug in the statement
 */
export interface SqlDatabase {
  /** Runs one statement. `conflict`: it would have broken a key or a unique index, and changed nothing. */
  run(sql: string, parameters?: readonly Value[]): "done" | "conflict";
  /** Runs one statement and gives its rows. */
  all(sql: string, parameters?: readonly Value[]): readonly Readonly<Record<string, Value>>[];
  /** Whether transactions from here on are synced when they commit (`full`), or with the next one that is (`normal`). Not within one. */
  setSync(mode: "full" | "normal"): void;
  /** Bytes that the file's disk has left; `Infinity` for a database that is no file. */
  spare(): number;
  /** SQLite ends a transaction by itself after some failures. */
  inTransaction(): boolean;
  close(): void;
}
