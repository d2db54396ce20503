/**
 * Heads of audit logs. A head is the end of a log, stored outside the log and marked with the key
 * that sealed its last row.
 */
import type { AuditHead, HouseId } from "@hearth/protocol";
import { hmacOf, type SealKeys, toFields } from "../store/seal.ts";

export const markHead = (keys: SealKeys, head: Omit<AuditHead, "mark">): AuditHead => {
  const mark = markOf(keys, head);
  if (mark === undefined) throw new TypeError(`row ${head.offset} of ${head.house} was sealed with an unknown key`);
  return { ...head, mark };
};

/** Whether the head was made with the key that sealed its row, and is unchanged. */
export const isMarked = (keys: SealKeys, head: AuditHead): boolean => head.mark === markOf(keys, head);

const markOf = (keys: SealKeys, { house, offset, seal, at }: Omit<AuditHead, "mark">): string | undefined =>
  hmacOf(keys, seal)?.(toFields(["head", house, String(offset), seal, String(at)]));

/** The content of an anchor. */
export interface AnchorContent {
  /** The heads of the last write. */
  readonly heads: readonly AuditHead[];
  /** The heads that were set aside because the log did not contain them. */
  readonly lost: readonly AuditHead[];
  /** Whether the anchor's content is something other than a list of heads. */
  readonly isBroken: boolean;
}

/**
 * Stores heads outside the database. Contract, checked by `anchorConformance`:
 * - `read` returns all heads of the last write, after any interruption; a new anchor is empty
 * - after `setAside` there are no heads, and the previous ones are permanently in `lost`
 * - if the content is not a list of heads, `isBroken` is true and there are no heads
 */
export interface Anchor {
  read(): Promise<AnchorContent>;
  /** Replaces the heads. Durable when the promise resolves. */
  write(heads: readonly AuditHead[]): Promise<void>;
  /** Keeps the current content under a name that contains this instant. */
  setAside(at: number): Promise<void>;
}

/** Creates an anchor in memory. */
export const createMemoryAnchor = (): Anchor => {
  let heads: readonly AuditHead[] = [];
  let lostHeads: readonly AuditHead[] = [];
  return {
    read: () => Promise.resolve({ heads, lost: lostHeads, isBroken: false }),
    write(newHeads) {
      heads = [...newHeads];
      return Promise.resolve();
    },
    setAside() {
      lostHeads = [...lostHeads, ...heads];
      heads = [];
      return Promise.resolve();
    },
  };
};

export interface AnchorWriter extends AsyncDisposable {
  /** Records the new end of a house's log. It is written with other heads within a second. */
  recordHead(house: HouseId, offset: number, seal: string): void;
  /** Returns the end of each log that this daemon has written. */
  heads(): readonly AuditHead[];
  /** Returns the offsets of these ends. */
  ends(): ReadonlyMap<HouseId, number>;
  /** Writes all heads. Durable when the promise resolves. Rejects if the anchor cannot be written. */
  flush(): Promise<void>;
}
