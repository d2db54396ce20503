/**
 * Moves old rows of audit logs from the database to segments. A segment is written to the disk and
 * read back before a commit records it. From that commit on, readers take its rows from the
 * segment, and the rows in the database are removed in small steps. After a crash at any point,
 * each row is readable in one place.
 */
import type { AuditRow, Clock, HouseId } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import { isSealed, type SealKeys } from "../store/seal.ts";
import type { Store } from "../store/store.ts";
import { toBegin, toEnd, toRows } from "./export.ts";
import { type Segments, gunzip, gzip } from "./segments.ts";
import { type AuditSource, auditStreamOf } from "./source.ts";

/** Number of rows that are read or removed at once. */
const BATCH_ROWS = 50;

export interface ArchiveOptions {
  readonly clock: Pick<Clock, "now" | "turn">;
  readonly log: Log;
  /** The store without audit, because rows of the log are removed. */
  readonly store: Store;
  /** The audited store: the log records each segment. */
  readonly audited: Pick<Store, "commit">;
  readonly blobs: Pick<Blobs, "put" | "get">;
  readonly source: Pick<AuditSource, "houses" | "page" | "end">;
  readonly segments: Pick<Segments, "end">;
  readonly keys: SealKeys;
  readonly segmentRows: number;
}

/** Archives rows from before `until` and returns their number. Stops when `signal` aborts. */
export const archiveRows = async (options: ArchiveOptions, until: number, signal?: AbortSignal): Promise<number> => {
  const { source, segments } = options;
  let archivedCount = 0;
  for (const house of await source.houses()) {
    await removeArchived(options, house, signal);
    for (;;) {
      if (signal?.aborted === true) return archivedCount;
      const after = await segments.end(house);
      if (!(await isDue(options, { house, after, until }))) break;
      const text = await readSegment(options, house, after);
      if (text === undefined || !(await storeSegment(options, { house, after, text }))) break;
      archivedCount += options.segmentRows;
      await removeArchived(options, house, signal);
    }
  }
  return archivedCount;
};

/**
 * Whether the next segment would be full of old rows. The last row of a log stays, because the next
 * seal needs it.
 */
const isDue = async (
  { source, segmentRows }: ArchiveOptions,
  { house, after, until }: { readonly house: HouseId; readonly after: number; readonly until: number },
): Promise<boolean> => {
  const through = after + segmentRows;
  if ((await source.end(house)) <= through) return false;
  const [row] = await source.page(house, through - 1, 1);
  return row !== undefined && row.offset === through && row.at < until;
};

/**
 * Returns the lines of a segment, or undefined if a row does not match its seal. All rows then stay
 * for a person to inspect.
 */
const readSegment = async (
  { clock, log, source, keys, segmentRows }: ArchiveOptions,
  house: HouseId,
  after: number,
): Promise<string | undefined> => {
  const [previousRow] = after === 0 ? [] : await source.page(house, after - 1, 1);
  let lastRow: Pick<AuditRow, "offset" | "seal"> = { offset: after, seal: previousRow?.seal ?? null };
  let text = toBegin(house, lastRow);
  const through = after + segmentRows;
  while (lastRow.offset < through) {
    const rows = await source.page(house, lastRow.offset, Math.min(BATCH_ROWS, through - lastRow.offset));
    for (const row of rows) {
      if (row.offset !== lastRow.offset + 1 || !isSealed(keys, lastRow.seal, row)) {
        log.write("error", "old rows of the audit log do not match their seals and are not archived", {
          house,
          offset: row.offset,
        });
        return undefined;
      }
      lastRow = row;
    }
    if (rows.length === 0) return undefined;
    text += toRows(rows);
    await clock.turn();
  }
  return text + toEnd({ keys, house, after, last: lastRow, at: clock.now() });
};

/** Records the segment. Returns whether readers take its rows from it from now on. */
const storeSegment = async (
  { clock, store, audited, blobs, segmentRows }: ArchiveOptions,
  { house, after, text }: { readonly house: HouseId; readonly after: number; readonly text: string },
): Promise<boolean> => {
  const bytes = await gzip(text);
  const blob = await blobs.put(bytes);
  const storedBytes = await blobs.get(blob);
  if (storedBytes === undefined || (await gunzip(storedBytes)) !== text)
    throw new TypeError(`the segment ${blob} reads differently`);
  const row = { house, after, through: after + segmentRows, blob, size: bytes.length, at: clock.now() };
  await store.waitUntilIdle();
  const { kind } = await audited.commit({ writes: [{ kind: "insert", table: "audit_segments", row }] });
  return kind === "committed";
};

/** Removes the rows of a segment from the database. */
const removeArchived = async (
  { clock, store, segments }: ArchiveOptions,
  house: HouseId,
  signal?: AbortSignal,
): Promise<void> => {
  const end = await segments.end(house);
  const stream = auditStreamOf(house) as `audit:${string}`;
  while (end > 0 && signal?.aborted !== true) {
    const [firstRow] = await store.select({
      table: "events",
      where: { stream },
      and: [{ column: "offset", is: "<=", value: end }],
      order: [{ column: "offset" }],
      limit: 1,
    });
    if (firstRow === undefined) return;
    const through = Math.min(end, Math.max(0, firstRow.offset) + BATCH_ROWS);
    // A power cut may lose the removal. The next sweep then removes these rows again.
    await store.commit({
      writes: [{ kind: "trim", table: "events", where: { stream }, through }],
      isReproducible: true,
    });
    await clock.turn();
    await store.waitUntilIdle();
  }
};
