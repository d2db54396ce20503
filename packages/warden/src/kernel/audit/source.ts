/**
 * Reads the audit log in pages, from segments and from the database, with or without a daemon. If a
 * segment holds a row, the row is read from the segment, even if the database still has it.
 */
import { type AuditRow, type Clock, type HouseId, MAX_AUDIT_PAGE } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import { AUDIT } from "./audited-store.ts";
import type { Segment, Segments } from "./segments.ts";

export interface AuditSource {
  /** Returns every house with records or a log. The first house comes first. */
  houses(): Promise<readonly HouseId[]>;
  /** Returns the rows after this offset, oldest first. */
  page(house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]>;
  /**
   * Yields the rows before this offset, by default all rows, newest first, in pages. Other work of
   * the process runs between pages.
   */
  backward(house: HouseId, before?: number): AsyncIterable<readonly AuditRow[]>;
  /**
   * Yields all rows after this offset, by default all rows. Other work of the process runs between
   * pages. If someone wrote a different row at an archived offset, that row follows the archived
   * one. A segment that cannot be read throws, unless there is `skip`.
   */
  pages(house: HouseId, after?: number, skip?: (segment: Segment) => void): AsyncIterable<readonly AuditRow[]>;
  /**
   * Returns the offset of the last row before this instant, or 0. If the clock was set back,
   * there are several such rows, and it returns one of them.
   */
  before(house: HouseId, since: number): Promise<number>;
  /** Returns the stored end of the log. */
  end(house: HouseId): Promise<number>;
}

export const auditStreamOf = (house: HouseId): string => `${AUDIT}${house}`;

/**
 * The upper bound for a scan over the names of logs: `;` is the character after `:`.
 */
const AUDIT_RANGE_END = "audit;";
/** Number of rows that are read backward at once. Most readers want one page of a list. */
const BACKWARD_PAGE = 200;
/** An offset before any that an attacker may have inserted. */
const BEFORE_FIRST_OFFSET = -Number.MAX_SAFE_INTEGER;

export const createAuditSource = (
  store: Pick<Store, "select">,
  clock: Pick<Clock, "turn">,
  segments: Segments,
): AuditSource => {
  const readFromDatabase = (house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]> =>
    store.select({
      table: "events",
      where: { stream: auditStreamOf(house) },
      and: [{ column: "offset", is: ">", value: after }],
      order: [{ column: "offset" }],
      limit,
    });

  const readBackwardFromDatabase = (house: HouseId, before: number): Promise<readonly AuditRow[]> =>
    store.select({
      table: "events",
      where: { stream: auditStreamOf(house) },
      and: [{ column: "offset", is: "<", value: before }],
      order: [{ column: "offset", descending: true }],
      limit: BACKWARD_PAGE,
    });

  /** Returns the rows after this offset, from a segment or from the database, whichever has the first of them. */
  const readNextRows = async (house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]> => {
    for (;;) {
      const segment = await segments.after(house, after);
      if (segment !== undefined)
        return (await segments.read(segment)).filter(({ offset }) => offset > after).slice(0, limit);
      const rows = await readFromDatabase(house, after, limit);
      // A sweep may have archived and removed the rows in between.
      if (rows[0]?.offset === after + 1 || (await segments.after(house, after)) === undefined) return rows;
    }
  };

  const page: AuditSource["page"] = async (house, after, limit) => {
    const rows: AuditRow[] = [];
    for (let lastOffset = after; rows.length < limit;) {
      const nextRows = await readNextRows(house, lastOffset, limit - rows.length);
      const lastRow = nextRows.at(-1);
      if (lastRow === undefined) break;
      rows.push(...nextRows);
      lastOffset = lastRow.offset;
    }
    return rows;
  };

  /**
   * Returns the rows of the database in the range of a segment that differ from the segment's
   * rows.
   */
  const findDifferingRows = async (house: HouseId, after: number, archived: readonly AuditRow[], through: number) => {
    const archivedByOffset = new Map(archived.map((row) => [row.offset, row]));
    const differingRows: AuditRow[] = [];
    for (let lastOffset = after; Number.isSafeInteger(lastOffset) && lastOffset < through;) {
      const rows = await readFromDatabase(house, lastOffset, MAX_AUDIT_PAGE);
      differingRows.push(
        ...rows.filter((row) => row.offset <= through && !isSameRow(row, archivedByOffset.get(row.offset))),
      );
      lastOffset = rows.at(-1)?.offset ?? through;
    }
    return differingRows;
  };

  const end: AuditSource["end"] = async (house) => {
    const [row] = await store.select({ table: "heads", where: { stream: auditStreamOf(house) } });
    return row?.head ?? 0;
  };

  return {
    page,
    async houses() {
      const isAuditStream = [
        { column: "stream", is: ">=", value: AUDIT },
        { column: "stream", is: "<", value: AUDIT_RANGE_END },
      ] as const;
      const [records, heads] = await Promise.all([
        store.select({ table: "records", where: { type: "house" }, order: [{ column: "created_at" }] }),
        store.select({ table: "heads", and: isAuditStream, order: [{ column: "stream" }] }),
      ]);
      const streams = heads.map(({ stream }) => stream.slice(AUDIT.length) as HouseId);
      return [...new Set([...records.map(({ house }) => house), ...streams])];
    },
    async *backward(house, before) {
      let oldestOffset = before ?? (await end(house)) + 1;
      while (oldestOffset > 1) {
        const segment = await segments.after(house, oldestOffset - 2);
        if (segment !== undefined) {
          yield (await segments.read(segment)).filter(({ offset }) => offset < oldestOffset).toReversed();
          oldestOffset = segment.after + 1;
        } else {
          const rows = await readBackwardFromDatabase(house, oldestOffset);
          const oldest = rows.at(-1);
          // A sweep may have archived and removed the rows in between.
          if (oldest !== undefined) oldestOffset = oldest.offset;
          else if ((await segments.after(house, oldestOffset - 2)) === undefined)
            oldestOffset = Math.min(oldestOffset - 1, (await segments.end(house)) + 1);
          yield rows;
        }
        await clock.turn();
      }
    },
    async *pages(house, from = BEFORE_FIRST_OFFSET, skip) {
      // An attacker may have inserted offsets beyond safe integers. Further reads from such an offset would
      // repeat it.
      for (let after = from; Number.isSafeInteger(after);) {
        const segment = await segments.after(house, after);
        if (segment === undefined) {
          const rows = await readNextRows(house, after, MAX_AUDIT_PAGE);
          const lastRow = rows.at(-1);
          if (lastRow === undefined) return;
          yield rows;
          after = lastRow.offset;
        } else {
          const rows = await segments.read(segment).catch((error: unknown) => {
            if (skip === undefined) throw error;
            skip(segment);
            return [];
          });
          yield rows.filter(({ offset }) => offset > after);
          yield await findDifferingRows(house, after, rows, segment.through);
          after = segment.through;
        }
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

const isSameRow = (row: AuditRow, archivedRow: AuditRow | undefined): boolean =>
  archivedRow !== undefined &&
  Object.entries(row).every(([column, value]) => archivedRow[column as keyof AuditRow] === value);
