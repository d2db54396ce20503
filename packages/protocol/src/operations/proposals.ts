/** Operations on proposals: changes of guarded brain files that wait for a person. */
import { DecideProposal, PendingProposalList, Proposal, ProposalList, ProposalQuery } from "../agents/brain.ts";
import { ProposalId } from "../base/ids.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const proposalOperations = declareOperations("Brains", {
  proposals: {
    id: "listProposals",
    method: "GET",
    path: "/api/agents/{agent}/brain/proposals",
    needs: AGENT_CHANGE,
    summary: "Lists proposed changes of guarded files, pending and decided",
    params: { agent: IdOrHandle },
    query: ProposalQuery,
    answers: { status: 200, schema: ProposalList },
    errors: ["record.not-found", "brain.not-found"],
  },
  pending: {
    id: "listPendingProposals",
    method: "GET",
    path: "/api/proposals",
    needs: "credential",
    summary: "Lists pending proposals of every agent whose proposals you may decide, newest first",
    description:
      "Lists what is stored, without reading the files. The list of one agent also finds changes made on the disk.",
    answers: { status: 200, schema: PendingProposalList },
  },
  decide: {
    id: "decideProposal",
    method: "POST",
    path: "/api/agents/{agent}/brain/proposals/{proposal}",
    needs: AGENT_CHANGE,
    summary: "Approves or denies a change",
    description: "Requires a person. A halted agent continues when no halting proposal is pending.",
    params: { agent: IdOrHandle, proposal: ProposalId },
    body: DecideProposal,
    answers: { status: 200, schema: Proposal },
    errors: ["record.not-found", "brain.not-found", "brain.changed", "proposal.not-found", "proposal.over"],
  },
});
