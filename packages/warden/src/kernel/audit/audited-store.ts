/** The store as every part of the house is given it: what a change does to tables that are told stands in the audit log by the same commit. */
import type { HouseId, World } from "@hearth/protocol";
import type { Append, Change, Commit, CommitResult, Store } from "../store/store.ts";
import type { Entry } from "./audit-rows.ts";
import type { Ownership } from "./ownership.ts";

/** Streams of the audit log: one for each house. */
export const AUDIT = "audit:";

export interface AuditedStoreOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly whose: Pick<Ownership, "learn" | "settle">;
  readonly tell: (change: Commit) => readonly Entry[];
  /** Called once it is durable. */
  readonly kept: (house: HouseId, offset: number, seal: string) => void;
}

/**
 * Contract: to whoever commits it is the store itself; changes go in in the order of the calls, and results say nothing of the log. A change
 * that writes to the log, or removes it, is a bug and is refused.
 */
export const createAuditedStore = ({ world, store, whose, tell, kept }: AuditedStoreOptions): Store => {
  const settle = (change: Commit, rows: number, result: CommitResult): CommitResult => {
    if (result.kind !== "committed") return result;
    whose.settle(change.writes);
    const own = result.appended.length - rows;
    // What may go with the power would be missed by an anchor that knew of it. The head of the next change leads to it as well.
    for (const { stream, offset, seal } of change.remade === true ? [] : result.appended.slice(own))
      if (seal !== undefined) kept(stream.slice(AUDIT.length) as HouseId, offset, seal);
    return { kind: "committed", appended: result.appended.slice(0, own) };
  };

  return {
    traits: store.traits,
    select: store.select,
    spare: store.spare,
    scrub: store.scrub,
    commit(change) {
      if (change.writes.some(touchesLog)) return Promise.reject(new TypeError("the audit log writes itself"));
      whose.learn(change.writes);
      const rows = tell(change).map((entry) => toAppend(world, entry));
      if (rows.length === 0) return store.commit(change);
      return store
        .commit({ ...change, writes: [...change.writes, ...rows] })
        .then((result) => settle(change, rows.length, result));
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
};

export const toAppend = (world: Pick<World, "clock" | "ids">, { house, type, facts }: Entry): Append => {
  const id = world.ids.fresh("evt");
  const body = toAscii(JSON.stringify(facts));
  const event = { id, type, at: world.clock.now(), body, blob: null, labels: null };
  return { kind: "append", stream: `${AUDIT}${house}`, event };
};

/** The same JSON in ASCII alone: no byte of it can be changed into another that is read as the same sign. */
const toAscii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

const touchesLog = (write: Change["writes"][number]): boolean =>
  write.kind === "append"
    ? write.stream.startsWith(AUDIT)
    : write.table === "events" && (write.where.stream === undefined || write.where.stream.startsWith(AUDIT));
