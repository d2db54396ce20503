/**
 * Exports a log as lines of JSON that a holder of the key can verify elsewhere. `docs/audit.md`
 * describes the lines.
 */
import type { AuditRow, HouseId } from "@hearth/protocol";
import { hmacOf, type SealKeys, toFields } from "../store/seal.ts";
import type { AuditSource } from "./source.ts";

export interface ExportOptions {
  readonly source: Pick<AuditSource, "page" | "pages" | "before">;
  readonly keys: SealKeys;
  readonly house: HouseId;
  /** UTC milliseconds. Rows before this instant are left out. */
  readonly since?: number | undefined;
  readonly now: number;
}

/**
 * Yields chunks of whole lines: the beginning, the rows, and the end with a mark over both, so that
 * a truncated export does not verify.
 */
export async function* exportLog(options: ExportOptions): AsyncIterable<string> {
  const { source, keys, house, since, now } = options;
  const after = since === undefined ? 0 : await source.before(house, since);
  const previousRow = after === 0 ? undefined : (await source.page(house, after - 1, 1))[0];
  let lastRow: Pick<AuditRow, "offset" | "seal"> = { offset: after, seal: previousRow?.seal ?? null };
  yield toBegin(house, lastRow);
  for await (const rows of source.pages(house, after === 0 ? undefined : after)) {
    yield toRows(rows);
    lastRow = rows.at(-1) ?? lastRow;
  }
  yield toEnd({ keys, house, after, last: lastRow, at: now });
}

/** Returns the first line. `previousRow` is the row before the first exported one. */
export const toBegin = (house: HouseId, previousRow: Pick<AuditRow, "offset" | "seal">): string =>
  toLine({ kind: "begin", house, after: previousRow.offset, seal: previousRow.seal });

export const toRows = (rows: readonly AuditRow[]): string =>
  rows.map((row) => toLine({ kind: "row", ...row })).join("");

/** Returns the last line. Its mark is made with the key that sealed the last row. */
export const toEnd = (options: {
  readonly keys: SealKeys;
  readonly house: HouseId;
  readonly after: number;
  readonly last: Pick<AuditRow, "offset" | "seal">;
  readonly at: number;
}): string => {
  const { keys, house, after, last, at } = options;
  const end = { house, after, offset: last.offset, seal: last.seal ?? "", at };
  const fields = ["export", house, String(after), String(end.offset), end.seal, String(at)];
  // Without the key, the end stays without a valid mark: the rows are still exported for a person to inspect.
  return toLine({ kind: "end", ...end, mark: hmacOf(keys, end.seal)?.(toFields(fields)) ?? "" });
};

const toLine = (line: object): string => `${JSON.stringify(line)}\n`;
