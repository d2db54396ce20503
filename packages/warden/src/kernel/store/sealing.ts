/**
 * Computes seals while a SQLite store appends events. The last seal of each stream is cached, so
 * that a seal needs no read.
 */
import type { SqlDatabase } from "./database.ts";
import type { Sealer } from "./seal.ts";
import type { AppendWrite } from "./store.ts";

export interface Sealing {
  /** Returns the seal of the event to append, or null if the stream is not sealed. */
  sealOf(append: AppendWrite, offset: number): string | null;
  /** Records that the event was written with this seal. */
  record(stream: string, offset: number, seal: string): void;
  /** Empties the cache, which may be wrong after a rollback. */
  forget(): void;
}

export const createSealing = (database: SqlDatabase, sealer: Sealer | undefined): Sealing => {
  const lastSeals = new Map<string, { readonly offset: number; readonly seal: string }>();

  const findPreviousSeal = (stream: string, offset: number): string | null => {
    if (offset === 1) return null;
    const cached = lastSeals.get(stream);
    // Another daemon may have appended since.
    if (cached?.offset === offset - 1) return cached.seal;
    const [row] = database.all("select seal from events where stream = ? and offset = ?", [stream, offset - 1]);
    return typeof row?.["seal"] === "string" ? row["seal"] : null;
  };

  return {
    sealOf: ({ stream, event }, offset) =>
      sealer?.covers(stream) === true
        ? sealer.seal(findPreviousSeal(stream, offset), { ...event, stream, offset })
        : null,
    record: (stream, offset, seal) => void lastSeals.set(stream, { offset, seal }),
    forget: () => lastSeals.clear(),
  };
};
