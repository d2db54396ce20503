/**
 * The proposals of the inbox in order of arrival: pending ones, and those that were decided on this
 * page. Pure.
 */
import type { Proposal } from "@hearth/protocol";

/**
 * Adds new proposals at the end, so that no card moves. Removes proposals that were decided
 * elsewhere, and keeps those that were decided on this page.
 */
export const mergeProposals = (
  previousProposals: readonly Proposal[],
  pendingProposals: readonly Proposal[],
): readonly Proposal[] => {
  const pendingById = new Map(pendingProposals.map((proposal) => [proposal.id, proposal]));
  const openProposals = previousProposals.flatMap((proposal) => {
    if (proposal.state !== "pending") return [proposal];
    const pendingProposal = pendingById.get(proposal.id);
    return pendingProposal === undefined ? [] : [pendingProposal];
  });
  const knownIds = new Set(previousProposals.map(({ id }) => id));
  const newProposals = pendingProposals.filter(({ id }) => !knownIds.has(id)).toSorted((a, b) => a.at - b.at);
  return [...openProposals, ...newProposals];
};

/** Replaces a proposal in its place. */
export const replaceProposal = (proposals: readonly Proposal[], decidedProposal: Proposal): readonly Proposal[] =>
  proposals.map((proposal) => (proposal.id === decidedProposal.id ? decidedProposal : proposal));
