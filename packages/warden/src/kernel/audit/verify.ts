/**
 * Verifies a log from beginning to end against its seals and anchored heads. Pure: the caller
 * passes rows, heads and keys.
 */
import type { AuditFault, AuditFinding, AuditHead, AuditReport, AuditRow, HouseId } from "@hearth/protocol";
import { isSealed, isSealedSince, type SealKeys } from "../store/seal.ts";
import { isMarked } from "./heads.ts";

export interface VerifyOptions {
  readonly house: HouseId;
  /** The stream to which all rows must belong. */
  readonly stream: string;
  /** The rows in stored order, in pages. */
  readonly pages: AsyncIterable<readonly AuditRow[]>;
  /** The heads of this house, from every known anchor. */
  readonly heads: readonly AuditHead[];
  /**
   * Returns the stored end of the stream. It is called before and after the rows are read,
   * because the log may grow meanwhile.
   */
  readonly end?: () => Promise<number>;
  readonly keys: SealKeys;
  /** The position of the present key before the heads were read. Later the key may change. */
  readonly present: number;
}

/**
 * The fact in the row that records a start without an anchor. Without this row, the next head would
 * hide the start.
 */
export const ANCHOR_MISSING = "anchor-gone";

export const verifyLog = async (options: VerifyOptions): Promise<AuditReport> => {
  const { house, stream, pages, heads, end, keys, present } = options;
  const endBefore = await end?.();
  const { findings, addFinding } = createFindings();
  const offsets = new Set(heads.map(({ offset }) => offset));
  const seals = new Map<number, string | null>();
  let previousSeal: string | null = null;
  let isPreviousKnown = true;
  let lastOffset = 0;
  let rows = 0;
  for await (const page of pages) {
    for (const row of page) {
      rows += 1;
      const { offset, seal } = row;
      if (offset <= lastOffset) {
        addFinding("forked", offset, offset, `Row ${offset} is out of order or occurs more than once.`);
        continue;
      }
      if (offset > lastOffset + 1) {
        addFinding("missing", lastOffset + 1, offset - 1, `${describeRows(lastOffset + 1, offset - 1)} missing.`);
        isPreviousKnown = false;
      }
      const isSealedRow = row.stream === stream && seal !== null;
      // After a gap, the previous seal is unknown.
      if (!isSealedRow || (isPreviousKnown && !isSealed(keys, previousSeal, row)))
        addFinding("changed", offset, offset, describeChanged(offset, offset));
      if (row.type === "log" && row.body === ANCHOR_MISSING_BODY)
        addFinding(
          "anchor",
          offset,
          offset,
          `Before row ${offset} the anchor was missing: rows may have been removed there.`,
        );
      previousSeal = seal;
      isPreviousKnown = true;
      lastOffset = offset;
      if (offsets.has(offset)) seals.set(offset, seal);
    }
  }

  if (lastOffset === 0)
    findings.push({ fault: "missing", text: "The log has no rows. It should begin with the house's first record." });
  else if (previousSeal !== null && !isSealedSince(keys, previousSeal, present))
    findings.push({ fault: "truncated", text: describeReplaced(lastOffset) });
  const endAfter = await end?.();
  if (endBefore !== undefined && endBefore > lastOffset)
    addFinding("truncated", lastOffset + 1, endBefore, describeEnd(endBefore, lastOffset));
  else if (endAfter !== undefined && endAfter < lastOffset)
    addFinding("forked", endAfter + 1, lastOffset, describeEnd(endAfter, lastOffset));
  if (heads.length === 0)
    findings.push({ fault: "anchor", text: "There is no anchor, so missing rows at the end cannot be detected." });
  else if (!heads.some(({ seal }) => isSealedSince(keys, seal, present)))
    findings.push({ fault: "anchor", text: REPLACED_ANCHOR });
  for (const head of heads) {
    const { offset } = head;
    if (!isMarked(keys, head))
      findings.push({
        fault: "anchor",
        text: `The anchor for row ${offset} has an invalid mark: it was changed or made with another key.`,
      });
    else if (offset > lastOffset)
      addFinding("truncated", lastOffset + 1, offset, `${describeRows(lastOffset + 1, offset)} missing at the end.`);
    else if (seals.get(offset) !== head.seal)
      addFinding("rewritten", offset, offset, `Row ${offset} differs from the one that the anchor was written for.`);
  }
  return { house, rows, findings };
};

/** A list of findings, in which adjacent changed rows are one finding. */
const createFindings = () => {
  const findings: AuditFinding[] = [];
  const addFinding = (fault: AuditFault, from: number, to: number, text: string): void => {
    const lastFinding = findings.at(-1);
    const isNext = lastFinding?.fault === fault && lastFinding.to === from - 1;
    if (fault === "changed" && isNext && lastFinding.from !== undefined) {
      const { from: firstRow } = lastFinding;
      findings[findings.length - 1] = { fault, from: firstRow, to, text: describeChanged(firstRow, to) };
    } else findings.push({ fault, from, to, text });
  };
  return { findings, addFinding };
};

const ANCHOR_MISSING_BODY = JSON.stringify({ change: ANCHOR_MISSING });
const REPLACED_ANCHOR =
  "The anchor was made with a key that was replaced since, so missing rows at the end cannot be detected.";
const describeReplaced = (lastOffset: number): string =>
  `Row ${lastOffset}, the last one, was sealed with a key that was replaced since: the row that records the present key is missing.`;
const describeRows = (from: number, to: number): string =>
  from === to ? `Row ${from} is` : `Rows ${from} to ${to} are`;
const describeEnd = (expectedEnd: number, lastOffset: number): string =>
  `The stored end is ${expectedEnd}, but the last row is ${lastOffset}.`;
const describeChanged = (from: number, to: number): string =>
  `${describeRows(from, to)} different from what was sealed.`;
