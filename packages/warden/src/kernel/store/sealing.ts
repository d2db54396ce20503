/** The seals of a SQLite store as it appends: the last one of each stream is remembered, so that a seal costs no read. */
import type { SqlDatabase } from "./database.ts";
import type { Sealer } from "./seal.ts";
import type { Append } from "./store.ts";

export interface Sealing {
  /** The seal of the event that is about to stand there; nothing where the stream has none. */
  sealOf(append: Append, offset: number): string | null;
  /** It stands there. */
  keep(stream: string, offset: number, seal: string): void;
  /** Something was taken back: what was kept may never have been. */
  forget(): void;
}

export const createSealing = (database: SqlDatabase, sealer: Sealer | undefined): Sealing => {
  const last = new Map<string, { readonly offset: number; readonly seal: string }>();

  const before = (stream: string, offset: number): string | null => {
    if (offset === 1) return null;
    const known = last.get(stream);
    // Another daemon may have written since.
    if (known?.offset === offset - 1) return known.seal;
    const [row] = database.all("select seal from events where stream = ? and offset = ?", [stream, offset - 1]);
    return typeof row?.["seal"] === "string" ? row["seal"] : null;
  };

  return {
    sealOf: ({ stream, event }, offset) =>
      sealer?.covers(stream) === true ? sealer.seal(before(stream, offset), { ...event, stream, offset }) : null,
    keep: (stream, offset, seal) => void last.set(stream, { offset, seal }),
    forget: () => last.clear(),
  };
};
