/** Wraps the store so that audited changes write their audit rows in the same commit. */
import type { HouseId, World } from "@hearth/protocol";
import type { AppendWrite, Change, Commit, CommitResult, Store } from "../store/store.ts";
import type { AuditEntry } from "./audit-rows.ts";
import type { Ownership } from "./ownership.ts";

/** The name prefix of the audit streams, one per house. */
export const AUDIT = "audit:";

export interface AuditedStoreOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly ownership: Pick<Ownership, "learn" | "settle">;
  readonly toEntries: (change: Commit) => readonly AuditEntry[];
  /** Called once the row is durable. */
  readonly onDurable: (house: HouseId, offset: number, seal: string) => void;
}

/**
 * Contract: callers use it like the plain store. Changes are applied in the order of the calls, and
 * results do not contain audit rows. A change that writes or removes audit rows is a bug and is
 * rejected.
 */
export const createAuditedStore = ({ world, store, ownership, toEntries, onDurable }: AuditedStoreOptions): Store => {
  const settle = (change: Commit, rows: number, result: CommitResult): CommitResult => {
    if (result.kind !== "committed") return result;
    ownership.settle(change.writes);
    const ownEventCount = result.appended.length - rows;
    // A power cut may lose this row, so its head is not anchored. The head of the next durable
    // change covers it.
    for (const { stream, offset, seal } of change.isReproducible === true ? [] : result.appended.slice(ownEventCount))
      if (seal !== undefined) onDurable(stream.slice(AUDIT.length) as HouseId, offset, seal);
    return { kind: "committed", appended: result.appended.slice(0, ownEventCount) };
  };

  return {
    traits: store.traits,
    texts: store.texts,
    passages: store.passages,
    select: store.select,
    freeBytes: store.freeBytes,
    scrub: store.scrub,
    shrink: store.shrink,
    waitUntilIdle: store.waitUntilIdle,
    commit(change) {
      if (change.writes.some(writesAuditRows))
        return Promise.reject(new TypeError("only the audited store may write audit rows"));
      ownership.learn(change.writes);
      const rows = toEntries(change).map((entry) => toAppend(world, entry));
      if (rows.length === 0) return store.commit(change);
      return store
        .commit({ ...change, writes: [...change.writes, ...rows] })
        .then((result) => settle(change, rows.length, result));
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
};

export const toAppend = (world: Pick<World, "clock" | "ids">, { house, type, facts }: AuditEntry): AppendWrite => {
  const id = world.ids.fresh("evt");
  const body = toAscii(JSON.stringify(facts));
  const event = { id, type, at: world.clock.now(), body, blob: null, labels: null };
  return { kind: "append", stream: `${AUDIT}${house}`, event };
};

/** Returns the JSON in ASCII only, so that no byte can be changed into an equivalent encoding. */
const toAscii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

const writesAuditRows = (write: Change["writes"][number]): boolean =>
  write.kind === "append"
    ? write.stream.startsWith(AUDIT)
    : write.table === "events" && (write.where.stream === undefined || write.where.stream.startsWith(AUDIT));
