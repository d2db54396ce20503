/** The filters of the inbox, and its decided requests as rows. Pure. */
import type { AgentId, AgentRecord, Approval, Proposal } from "@hearth/protocol";
import { kinds } from "./text.ts";

export type InboxKind = keyof typeof kinds;
export const inboxKinds = Object.keys(kinds) as InboxKind[];
export const filterNames = ["agent", "kind", "state"] as const;
/** The value of the filter `state` that shows decided requests. An empty value shows pending ones. */
export const DECIDED = "decided";

export interface InboxFilters {
  /** The handle of an agent. An empty text shows all agents. */
  readonly agent: string;
  readonly kind: string;
}

export type InboxItem =
  | { readonly kind: "approval"; readonly approval: Approval }
  | { readonly kind: "proposal"; readonly proposal: Proposal };

/** Returns the items that match the agent and kind of the filter. */
export const filterItems = <Item extends { readonly agent: AgentId }>(
  items: readonly Item[],
  kind: InboxKind,
  filters: InboxFilters,
  agents: ReadonlyMap<string, AgentRecord>,
): readonly Item[] => {
  if (filters.kind !== "" && filters.kind !== kind) return [];
  return filters.agent === "" ? items : items.filter(({ agent }) => agents.get(agent)?.handle === filters.agent);
};

export const timeOf = (item: InboxItem): number =>
  item.kind === "approval"
    ? (item.approval.decidedAt ?? item.approval.createdAt)
    : (item.proposal.decidedAt ?? item.proposal.at);

/** Returns the decided requests, newest first. */
export const listDecidedItems = (
  approvals: readonly Approval[],
  proposals: readonly Proposal[],
): readonly InboxItem[] =>
  [
    ...approvals
      .filter(({ state }) => state !== "pending")
      .map((approval): InboxItem => ({ kind: "approval", approval })),
    ...proposals
      .filter(({ state }) => state !== "pending")
      .map((proposal): InboxItem => ({ kind: "proposal", proposal })),
  ].toSorted((a, b) => timeOf(b) - timeOf(a));
