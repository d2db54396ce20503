/** Proposals: changes of guarded brain files that wait for a person. Listing and deciding. */
import { createRoute } from "@hono/zod-openapi";
import { DecideProposal, Proposal, ProposalId, ProposalList, ProposalQuery } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { brainOf, personOf } from "./brain-of.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const PATH = "/api/agents/{agent}/brain/proposals";

export const proposalRoutes = (app: App, options: RouteOptions): void => {
  const tag = "Brains";

  app.openapi(
    createRoute({
      method: "get",
      path: PATH,
      ...operation(options, {
        ...{ id: "listProposals", tag, needs: "x on agent {agent}" },
        summary: "Lists proposed changes of guarded files, pending and decided",
        answers: { status: 200, schema: ProposalList },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: z.object({ agent: Name }), query: ProposalQuery },
    }),
    async (c) => {
      const brain = await brainOf(options, c.env.principal, c.req.valid("param").agent);
      return answer([...(await brain.proposals(c.req.valid("query")))]);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/{proposal}`,
      ...jsonOperation(options, {
        ...{ id: "decideProposal", tag, needs: "x on agent {agent}", summary: "Approves or denies a change" },
        description: "Requires a person. A halted agent continues when no halting proposal is pending.",
        answers: { status: 200, schema: Proposal },
        errors: ["record.not-found", "brain.not-found", "brain.changed", "proposal.not-found", "proposal.over"],
      }),
      request: { params: z.object({ agent: Name, proposal: ProposalId }), body: jsonBody(DecideProposal) },
    }),
    async (c) => {
      const { agent, proposal } = c.req.valid("param");
      const by = await personOf(options, c.env.principal);
      const brain = await brainOf(options, c.env.principal, agent);
      return answer(await brain.decide(proposal, c.req.valid("json"), by));
    },
  );
};
