/** A store whose commits take along what waits for one: rows that change often and are no reason to sync a disk. */
import type { Store, Write } from "./store.ts";
import type { Row, WritableTable } from "./tables/tables.ts";

type Put = {
  readonly [Table in WritableTable]: { readonly kind: "put"; readonly table: Table; readonly row: Row<Table> };
};
type Delete = Extract<Write, { readonly kind: "delete" }>;
/** Said again, it changes nothing. */
export type DeferredWrite = Put[WritableTable] | Delete;

export interface DeferringStore {
  /** The same store. A rider is in the next commit that is asked for, and in the one after if that one comes to nothing. */
  readonly store: Store;
  /** In place of what still waits under this name. */
  ride(name: string, write: DeferredWrite): void;
  /** Resolves when everything that was asked for before this call is durable, also what another commit was to take along. */
  keep(): Promise<void>;
}

export const createDeferringStore = (store: Store): DeferringStore => {
  /** What is asked for last under each name, as long as it is not durable. */
  const asked = new Map<string, DeferredWrite>();
  const waiting = new Map<string, DeferredWrite>();

  const commit: Store["commit"] = async (change) => {
    if (waiting.size === 0) return store.commit(change);
    const riders = [...waiting];
    waiting.clear();
    let isKept = false;
    try {
      const result = await store.commit({ ...change, writes: [...change.writes, ...riders.map(([, write]) => write)] });
      isKept = result.kind === "committed";
      return result;
    } finally {
      for (const [name, write] of riders) {
        // What was asked for since has gone its own way, or waits.
        if (asked.get(name) !== write) continue;
        if (isKept) asked.delete(name);
        else waiting.set(name, write);
      }
    }
  };

  return {
    store: { ...store, commit },
    async keep() {
      const riders = [...asked];
      if (riders.length === 0) return;
      // Those under way are written again: their own commit may come to nothing.
      const { kind } = await store.commit({ writes: riders.map(([, write]) => write) });
      if (kind !== "committed") throw new TypeError("a commit of riders has no guard and no new row");
      for (const [name, write] of riders) {
        if (asked.get(name) === write) asked.delete(name);
        if (waiting.get(name) === write) waiting.delete(name);
      }
    },
    ride(name, write) {
      asked.set(name, write);
      waiting.set(name, write);
    },
  };
};
