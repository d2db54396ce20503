/**
 * The list of the approvals page: pending requests by arrival, and decided ones until they leave.
 * Pure.
 */
import type { Approval, ApprovalId } from "@hearth/protocol";

export interface Inbox {
  /** Oldest first, so that new requests move nothing. */
  readonly entries: readonly Approval[];
  /** Requests that left the list. A late answer does not add them again. */
  readonly removedIds: ReadonlySet<ApprovalId>;
}

export const emptyInbox: Inbox = { entries: [], removedIds: new Set() };

export const isOpen = ({ state }: Approval): boolean => state === "pending";

/** Appends pending requests that are not in the list yet. */
export const addPending = (inbox: Inbox, approvals: readonly Approval[]): Inbox => {
  const knownIds = new Set(inbox.entries.map(({ id }) => id));
  const newApprovals = approvals.filter(({ id }) => !knownIds.has(id) && !inbox.removedIds.has(id));
  if (newApprovals.length === 0) return inbox;
  return { ...inbox, entries: [...inbox.entries, ...newApprovals.toSorted((a, b) => a.createdAt - b.createdAt)] };
};

/**
 * Returns the requests that are listed as open but no longer pending: they were decided elsewhere,
 * or they expired.
 */
export const findMissing = ({ entries }: Inbox, approvals: readonly Approval[]): readonly ApprovalId[] => {
  const pendingIds = new Set(approvals.map(({ id }) => id));
  return entries.filter((entry) => isOpen(entry) && !pendingIds.has(entry.id)).map(({ id }) => id);
};

/**
 * Replaces a request in its place. A decided request never reopens, whichever answer arrives last.
 */
export const replaceApproval = (inbox: Inbox, approval: Approval): Inbox => ({
  ...inbox,
  entries: inbox.entries.map((entry) =>
    entry.id === approval.id && (isOpen(entry) || !isOpen(approval)) ? approval : entry,
  ),
});

export const removeApproval = ({ entries, removedIds }: Inbox, id: ApprovalId): Inbox => ({
  entries: entries.filter((entry) => entry.id !== id),
  removedIds: new Set([...removedIds, id]),
});

/** Returns the next or previous request, or the first one if `selectedId` is not in the list. Stops at the ends. */
export const stepTo = (
  entries: readonly Approval[],
  selectedId: ApprovalId | undefined,
  steps: 1 | -1,
): ApprovalId | undefined => {
  const index = entries.findIndex(({ id }) => id === selectedId);
  return entries[Math.min(entries.length - 1, Math.max(0, index + steps))]?.id;
};
