/**
 * A store with deferred writes: rows that change often are written with the next commit and cause
 * no sync themselves.
 */
import type { Store, Write } from "./store.ts";
import type { Row, WritableTable } from "./tables/tables.ts";

type Put = {
  readonly [Table in WritableTable]: { readonly kind: "put"; readonly table: Table; readonly row: Row<Table> };
};
type Delete = Extract<Write, { readonly kind: "delete" }>;
/** A deferred write, which must be idempotent. */
export type DeferredWrite = Put[WritableTable] | Delete;

export interface DeferringStore {
  /**
   * The store whose commits include deferred writes. If a commit fails, the next one includes its
   * deferred writes.
   */
  readonly store: Store;
  /** Defers a write. It replaces a waiting write of this name. */
  defer(name: string, write: DeferredWrite): void;
  /**
   * Resolves when all writes deferred before this call are durable, including those of commits in
   * flight.
   */
  flush(): Promise<void>;
}

export const createDeferringStore = (store: Store): DeferringStore => {
  /** The last write per name that is not durable yet. */
  const deferredWrites = new Map<string, DeferredWrite>();
  const waitingWrites = new Map<string, DeferredWrite>();

  const commit: Store["commit"] = async (change) => {
    if (waitingWrites.size === 0) return store.commit(change);
    const deferredEntries = [...waitingWrites];
    waitingWrites.clear();
    let isCommitted = false;
    try {
      const result = await store.commit({
        ...change,
        writes: [...change.writes, ...deferredEntries.map(([, write]) => write)],
      });
      isCommitted = result.kind === "committed";
      return result;
    } finally {
      for (const [name, write] of deferredEntries) {
        // A newer write of this name is in flight or waits.
        if (deferredWrites.get(name) !== write) continue;
        if (isCommitted) deferredWrites.delete(name);
        else waitingWrites.set(name, write);
      }
    }
  };

  return {
    store: { ...store, commit },
    async flush() {
      const deferredEntries = [...deferredWrites];
      if (deferredEntries.length === 0) return;
      // Writes in flight are included, because their own commits may fail.
      const { kind } = await store.commit({ writes: deferredEntries.map(([, write]) => write) });
      if (kind !== "committed") throw new TypeError("a commit of deferred writes has no guard and cannot be refused");
      for (const [name, write] of deferredEntries) {
        if (deferredWrites.get(name) === write) deferredWrites.delete(name);
        if (waitingWrites.get(name) === write) waitingWrites.delete(name);
      }
    },
    defer(name, write) {
      deferredWrites.set(name, write);
      waitingWrites.set(name, write);
    },
  };
};
