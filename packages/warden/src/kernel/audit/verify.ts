/** Reads a log from its beginning to its end and says of every row whether it is the one that was sealed there. Pure: it is handed rows, anchors and the key. */
import type { AuditFault, AuditFinding, AuditHead, AuditReport, AuditRow, HouseId } from "@hearth/protocol";
import type { Hmac, Sealer } from "../store/seal.ts";
import { isMarked } from "./heads.ts";

export interface VerifyOptions {
  readonly house: HouseId;
  /** The stream that this house's rows must be of. */
  readonly stream: string;
  /** In the order in which they are kept, a page at a time. */
  readonly pages: AsyncIterable<readonly AuditRow[]>;
  /** Heads of this house, from every anchor that there is. */
  readonly heads: readonly AuditHead[];
  /** Where the store says that the stream ends. Asked before and after its rows are read: meanwhile it may grow. */
  readonly end?: () => Promise<number>;
  readonly sealer: Pick<Sealer, "seal">;
  readonly hmac: Hmac;
}

/** What a row of the log itself says of a start that found no anchor: the next head would hide that. */
export const ANCHOR_GONE = "anchor-gone";

export const verifyLog = async (options: VerifyOptions): Promise<AuditReport> => {
  const { house, stream, pages, heads, end, sealer, hmac } = options;
  const least = await end?.();
  const findings: AuditFinding[] = [];
  const find = (fault: AuditFault, from: number, to: number, text: string): void => {
    const last = findings.at(-1);
    // A row after the other: one finding.
    if (fault === "changed" && last?.fault === fault && last.from !== undefined && last.to === from - 1) {
      findings[findings.length - 1] = { fault, from: last.from, to, text: tellChanged(last.from, to) };
    } else findings.push({ fault, from, to, text });
  };

  const wanted = new Set(heads.map(({ offset }) => offset));
  const seals = new Map<number, string | null>();
  let before: string | null = null;
  let isBeforeKnown = true;
  let last = 0;
  let rows = 0;
  for await (const page of pages) {
    for (const row of page) {
      rows += 1;
      const { offset, seal } = row;
      if (offset <= last) {
        find("forked", offset, offset, `Row ${offset} stands where another one did.`);
        continue;
      }
      if (offset > last + 1) {
        find("missing", last + 1, offset - 1, `${tellRows(last + 1, offset - 1)} missing.`);
        isBeforeKnown = false;
      }
      const isOwn = row.stream === stream && seal !== null;
      // What follows a gap hangs on a seal that nobody has.
      if (!isOwn || (isBeforeKnown && seal !== sealer.seal(before, row)))
        find("changed", offset, offset, tellChanged(offset, offset));
      if (row.type === "log" && row.body === GONE)
        find(
          "anchor",
          offset,
          offset,
          `Before row ${offset} the anchor was gone: rows may have been taken from there.`,
        );
      before = seal;
      isBeforeKnown = true;
      last = offset;
      if (wanted.has(offset)) seals.set(offset, seal);
    }
  }

  if (last === 0) findings.push({ fault: "missing", text: "There is no row. A log begins with its house." });
  const most = await end?.();
  if (least !== undefined && least > last) find("truncated", last + 1, least, tellEnd(least, last));
  else if (most !== undefined && most < last) find("forked", most + 1, last, tellEnd(most, last));
  if (heads.length === 0)
    findings.push({ fault: "anchor", text: "There is no anchor: nothing says whether rows at the end are gone." });
  for (const head of heads) {
    const { offset } = head;
    if (!isMarked(hmac, head))
      findings.push({
        fault: "anchor",
        text: `The anchor at row ${offset} was not made with this key, or was changed.`,
      });
    else if (offset > last) find("truncated", last + 1, offset, `${tellRows(last + 1, offset)} gone from the end.`);
    else if (seals.get(offset) !== head.seal)
      find("rewritten", offset, offset, `Row ${offset} is not the one that stood there when the anchor was written.`);
  }
  return { house, rows, findings };
};

const GONE = JSON.stringify({ change: ANCHOR_GONE });
const tellRows = (from: number, to: number): string => (from === to ? `Row ${from} is` : `Rows ${from} to ${to} are`);
const tellEnd = (said: number, last: number): string => `The store says that it ends at ${said}; it ends at ${last}.`;
const tellChanged = (from: number, to: number): string => `${tellRows(from, to)} not as sealed.`;
