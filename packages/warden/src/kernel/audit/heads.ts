/** Heads of the audit log: where it ended, marked with the house's key, and kept apart from the log itself. */
import type { AuditHead, HouseId } from "@hearth/protocol";
import { type Hmac, toFields } from "../store/seal.ts";

export const markHead = (hmac: Hmac, head: Omit<AuditHead, "mark">): AuditHead => ({
  ...head,
  mark: markOf(hmac, head),
});

/** Whether it was made with this key, and says what it said. */
export const isMarked = (hmac: Hmac, head: AuditHead): boolean => head.mark === markOf(hmac, head);

const markOf = (hmac: Hmac, { house, offset, seal, at }: Omit<AuditHead, "mark">): string =>
  hmac(toFields(["head", house, String(offset), seal, String(at)]));

/** What an anchor says. */
export interface Anchored {
  /** What was written last. */
  readonly heads: readonly AuditHead[];
  /** Heads that were set aside, for the log did not lead to them any more. */
  readonly lost: readonly AuditHead[];
  /** Whether there is something that is no list of heads. */
  readonly isBroken: boolean;
}

/**
 * Where heads are kept, outside the store. Contract, checked by `anchorConformance`:
 * - what was written last is what is read, whole, whenever it was interrupted; before anything was, there is nothing
 * - after `setAside` there are no heads, and those that were there are among the lost, for good
 * - what somebody else wrote there is `isBroken`, and no head
 */
export interface Anchor {
  read(): Promise<Anchored>;
  /** In place of what was there. Durable when it resolves. */
  write(heads: readonly AuditHead[]): Promise<void>;
  /** What is there stays, under a name that has this instant in it. */
  setAside(at: number): Promise<void>;
}

/** In memory. */
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
  /** The log of this house goes so far. Costs nothing: it is written with what else comes within a second. */
  kept(house: HouseId, offset: number, seal: string): void;
  /** Where each log ends, as far as this daemon has written it. */
  heads(): readonly AuditHead[];
}
