/** Proposals: changes of guarded brain files that wait for a person. Listing and deciding. */
import { proposalOperations } from "@hearth/protocol/operations";
import { brainOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const proposalRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, proposalOperations, {
    proposals: async ({ principal, params, query }) => {
      const brain = await brainOf(options, principal, params.agent);
      return brain.proposals(query);
    },

    decide: async ({ principal, params, body }) => {
      const { agent, proposal } = params;
      const by = await personOf(options, principal);
      const brain = await brainOf(options, principal, agent);
      return brain.decide(proposal, body, by);
    },
  });
};
