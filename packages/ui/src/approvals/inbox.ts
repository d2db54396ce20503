/** The list of the approvals page: what is asked in the order in which it came, and what was decided until it leaves. Pure. */
import type { Approval, ApprovalId } from "@hearth/protocol";

export interface Inbox {
  /** Oldest first: what comes later moves nothing. */
  readonly entries: readonly Approval[];
  /** They were here and left: an answer that was on its way since brings none of them back. */
  readonly left: ReadonlySet<ApprovalId>;
}

export const emptyInbox: Inbox = { entries: [], left: new Set() };

export const isOpen = ({ state }: Approval): boolean => state === "pending";

/** What is asked and was not here yet comes at the end. */
export const takeAsked = (inbox: Inbox, asked: readonly Approval[]): Inbox => {
  const known = new Set(inbox.entries.map(({ id }) => id));
  const fresh = asked.filter(({ id }) => !known.has(id) && !inbox.left.has(id));
  if (fresh.length === 0) return inbox;
  return { ...inbox, entries: [...inbox.entries, ...fresh.toSorted((one, other) => one.createdAt - other.createdAt)] };
};

/** Of what stands here as open, what is not asked any more: somebody decided it, or it ran out. */
export const findMissing = ({ entries }: Inbox, asked: readonly Approval[]): readonly ApprovalId[] => {
  const there = new Set(asked.map(({ id }) => id));
  return entries.filter((entry) => isOpen(entry) && !there.has(entry.id)).map(({ id }) => id);
};

/** As it stands now, in its place. What is decided does not open again, whichever answer comes last. */
export const put = (inbox: Inbox, approval: Approval): Inbox => ({
  ...inbox,
  entries: inbox.entries.map((entry) =>
    entry.id === approval.id && (isOpen(entry) || !isOpen(approval)) ? approval : entry,
  ),
});

export const leave = ({ entries, left }: Inbox, id: ApprovalId): Inbox => ({
  entries: entries.filter((entry) => entry.id !== id),
  left: new Set([...left, id]),
});

/** The one after this or before it; the first where this is none of them, and never beyond the ends. */
export const stepTo = (
  entries: readonly Approval[],
  selected: ApprovalId | undefined,
  steps: 1 | -1,
): ApprovalId | undefined => {
  const index = entries.findIndex(({ id }) => id === selected);
  return entries[Math.min(entries.length - 1, Math.max(0, index + steps))]?.id;
};
