/**
 * Heads of audit logs: the end of a log, marked with the house's key and stored outside the log.
 */
import type { AuditHead, HouseId } from "@hearth/protocol";
import { type Hmac, toFields } from "../store/seal.ts";

export const markHead = (hmac: Hmac, head: Omit<AuditHead, "mark">): AuditHead => ({
  ...head,
  mark: markOf(hmac, head),
});

/** Whether the head was made with this key and is unchanged. */
export const isMarked = (hmac: Hmac, head: AuditHead): boolean => head.mark === markOf(hmac, head);

const markOf = (hmac: Hmac, { house, offset, seal, at }: Omit<AuditHead, "mark">): string =>
  hmac(toFields(["head", house, String(offset), seal, String(at)]));

/** The content of an anchor. */
export interface Anchored {
  /** The last heads written. */
  readonly heads: readonly AuditHead[];
  /** Heads that were set aside because the log no longer contained them. */
  readonly lost: readonly AuditHead[];
  /** Whether the anchor's content is not a list of heads. */
  readonly isBroken: boolean;
}

/**
 * Stores heads outside the database. Contract, checked by `anchorConformance`:
 * - `read` returns the last heads written, complete, after any interruption; an anchor that was
 *   never written is empty
 * - after `setAside` there are no heads, and the previous ones are permanently in `lost`
 * - foreign content is `isBroken`, with no heads
 */
export interface Anchor {
  read(): Promise<Anchored>;
  /** Replaces the heads. Durable when it resolves. */
  write(heads: readonly AuditHead[]): Promise<void>;
  /** Keeps the present content under a name that contains this instant. */
  setAside(at: number): Promise<void>;
}

/** An anchor in memory. */
export const createMemoryAnchor = (): Anchor => {
  let heads: readonly AuditHead[] = [];
  let lost: readonly AuditHead[] = [];
  return {
    read: () => Promise.resolve({ heads, lost, isBroken: false }),
    write(fresh) {
      heads = [...fresh];
      return Promise.resolve();
    },
    setAside() {
      lost = [...lost, ...heads];
      heads = [];
      return Promise.resolve();
    },
  };
};

export interface AnchorWriter extends AsyncDisposable {
  /** Notes the new end of a house's log. Cheap: it is written with other heads within a second. */
  kept(house: HouseId, offset: number, seal: string): void;
  /** The end of each log, as far as this daemon has written it. */
  heads(): readonly AuditHead[];
  /** The offsets of these ends. */
  ends(): ReadonlyMap<HouseId, number>;
}
