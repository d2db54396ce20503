/** The log as it stands in a store, a page at a time. Also without a daemon: it only ever reads. */
import { type AuditRow, type Clock, type HouseId, MAX_AUDIT_PAGE } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import { AUDIT } from "./audited-store.ts";

export interface AuditSource {
  /** Every house that has a log, or ought to have one: the first one first. */
  houses(): Promise<readonly HouseId[]>;
  /** Rows after this offset, oldest first. */
  page(house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]>;
  /** The last rows, oldest first. */
  latest(house: HouseId, limit: number): Promise<readonly AuditRow[]>;
  /** All rows after this one, by default every one that there is. Whatever else the daemon has to do comes in between. */
  pages(house: HouseId, after?: number): AsyncIterable<readonly AuditRow[]>;
  /** The offset of the last row before this instant; 0: there is none. Where the clock went back, that of one such row. */
  before(house: HouseId, since: number): Promise<number>;
  /** Where the store says that it ends. */
  end(house: HouseId): Promise<number>;
}

export const streamOf = (house: HouseId): string => `${AUDIT}${house}`;

/** The sign after the colon: every name of a log is between. */
const AFTER = "audit;";
/** Before any row that somebody may have put there. */
const FIRST = -Number.MAX_SAFE_INTEGER;

export const createAuditSource = (store: Pick<Store, "select">, clock: Pick<Clock, "turn">): AuditSource => {
  const page: AuditSource["page"] = (house, after, limit) =>
    store.select({
      table: "events",
      where: { stream: streamOf(house) },
      and: [{ column: "offset", is: ">", value: after }],
      order: [{ column: "offset" }],
      limit,
    });

  const end: AuditSource["end"] = async (house) => {
    const [row] = await store.select({ table: "heads", where: { stream: streamOf(house) } });
    return row?.head ?? 0;
  };

  return {
    page,
    async houses() {
      const among = [
        { column: "stream", is: ">=", value: AUDIT },
        { column: "stream", is: "<", value: AFTER },
      ] as const;
      const [records, heads] = await Promise.all([
        store.select({ table: "records", where: { type: "house" }, order: [{ column: "created_at" }] }),
        store.select({ table: "heads", and: among, order: [{ column: "stream" }] }),
      ]);
      const streams = heads.map(({ stream }) => stream.slice(AUDIT.length));
      return [...new Set([...records.map(({ id }) => id), ...streams])] as HouseId[];
    },
    async latest(house, limit) {
      const rows = await store.select({
        table: "events",
        where: { stream: streamOf(house) },
        order: [{ column: "offset", descending: true }],
        limit,
      });
      return rows.toReversed();
    },
    async *pages(house, from = FIRST) {
      // An offset that no number holds was never ours: reading on from it would read it again.
      for (let after = from; Number.isSafeInteger(after);) {
        const rows = await page(house, after, MAX_AUDIT_PAGE);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.offset;
        await clock.turn();
      }
    },
    async before(house, since) {
      let [low, high] = [0, await end(house)];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const [row] = await page(house, middle, 1);
        if (row !== undefined && row.at < since) low = row.offset;
        else high = middle;
      }
      return low;
    },
    end,
  };
};
