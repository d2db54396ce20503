/** Reads the audit log from a store in pages. Works without a daemon. */
import { type AuditRow, type Clock, type HouseId, MAX_AUDIT_PAGE } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import { AUDIT } from "./audited-store.ts";

export interface AuditSource {
  /** Every house with records or a log, the first house first. */
  houses(): Promise<readonly HouseId[]>;
  /** Rows after this offset, oldest first. */
  page(house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]>;
  /** The last rows, oldest first. */
  latest(house: HouseId, limit: number): Promise<readonly AuditRow[]>;
  /** All rows after this one, by default all. Other tasks run in between. */
  pages(house: HouseId, after?: number): AsyncIterable<readonly AuditRow[]>;
  /**
   * The offset of the last row before this instant, or 0. If the clock went back, of one such row.
   */
  before(house: HouseId, since: number): Promise<number>;
  /** The stored end of the log. */
  end(house: HouseId): Promise<number>;
}

export const streamOf = (house: HouseId): string => `${AUDIT}${house}`;

/** The character after the colon, which ends the range of log names. */
const AFTER = "audit;";
/** Before any offset that an attacker may have inserted. */
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
      const streams = heads.map(({ stream }) => stream.slice(AUDIT.length) as HouseId);
      return [...new Set([...records.map(({ house }) => house), ...streams])];
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
      // Offsets beyond safe integers were inserted by an attacker; reading on from one would repeat
      // it.
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
