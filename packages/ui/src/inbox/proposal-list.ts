/**
 * The proposals of the inbox in order of arrival: pending ones, and those that were decided on this
 * page. Pure.
 */
import type { Proposal } from "@hearth/protocol";

/**
 * Adds new proposals at the end, so that no card moves. Removes proposals that were decided
 * elsewhere, and keeps those that were decided on this page.
 */
export const mergeProposals = (before: readonly Proposal[], pending: readonly Proposal[]): readonly Proposal[] => {
  const listed = new Map(pending.map((proposal) => [proposal.id, proposal]));
  const openProposals = before.flatMap((proposal) => {
    if (proposal.state !== "pending") return [proposal];
    const current = listed.get(proposal.id);
    return current === undefined ? [] : [current];
  });
  const known = new Set(before.map(({ id }) => id));
  const newProposals = pending.filter(({ id }) => !known.has(id)).toSorted((a, b) => a.at - b.at);
  return [...openProposals, ...newProposals];
};

/** Replaces a proposal in its place. */
export const putProposal = (proposals: readonly Proposal[], decided: Proposal): readonly Proposal[] =>
  proposals.map((proposal) => (proposal.id === decided.id ? decided : proposal));
