/** The proposals of the inbox: pending ones by arrival, and those decided here. Pure. */
import type { Proposal } from "@hearth/protocol";

/**
 * Adds new proposals at the end, so that nothing moves, and removes those that were decided
 * elsewhere. A proposal that was decided here stays.
 */
export const mergeProposals = (before: readonly Proposal[], pending: readonly Proposal[]): readonly Proposal[] => {
  const listed = new Map(pending.map((proposal) => [proposal.id, proposal]));
  const kept = before.flatMap((proposal) => {
    if (proposal.state !== "pending") return [proposal];
    const current = listed.get(proposal.id);
    return current === undefined ? [] : [current];
  });
  const known = new Set(before.map(({ id }) => id));
  const fresh = pending.filter(({ id }) => !known.has(id)).toSorted((one, other) => one.at - other.at);
  return [...kept, ...fresh];
};

/** Replaces a proposal in its place. */
export const putProposal = (proposals: readonly Proposal[], decided: Proposal): readonly Proposal[] =>
  proposals.map((proposal) => (proposal.id === decided.id ? decided : proposal));
