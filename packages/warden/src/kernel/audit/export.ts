/**
 * Exports a log as lines of JSON that a holder of the key can verify elsewhere. `docs/audit.md`
 * describes the lines.
 */
import type { AuditRow, HouseId } from "@hearth/protocol";
import { type Hmac, toFields } from "../store/seal.ts";
import type { AuditSource } from "./source.ts";

export interface ExportOptions {
  readonly source: Pick<AuditSource, "page" | "pages" | "before">;
  readonly hmac: Hmac;
  readonly house: HouseId;
  /** UTC milliseconds: rows before it are left out. */
  readonly since?: number | undefined;
  readonly now: number;
}

/**
 * Chunks of whole lines: the beginning, the rows, and the end with a mark over both, so that a
 * truncated export does not verify.
 */
export async function* exportLog(options: ExportOptions): AsyncIterable<string> {
  const { source, hmac, house, since, now } = options;
  const after = since === undefined ? 0 : await source.before(house, since);
  const before = after === 0 ? undefined : (await source.page(house, after - 1, 1))[0];
  yield toLine({ kind: "begin", house, after, seal: before?.seal ?? null });
  let last: Pick<AuditRow, "offset" | "seal"> = { offset: after, seal: before?.seal ?? null };
  for await (const rows of source.pages(house, after === 0 ? undefined : after)) {
    yield rows.map((row) => toLine({ kind: "row", ...row })).join("");
    last = rows.at(-1) ?? last;
  }
  const end = { house, after, offset: last.offset, seal: last.seal ?? "", at: now };
  const fields = ["export", house, String(after), String(end.offset), end.seal, String(now)];
  yield toLine({ kind: "end", ...end, mark: hmac(toFields(fields)) });
}

const toLine = (line: object): string => `${JSON.stringify(line)}\n`;
