/** Proposals: changes of guarded brain files that wait for a person. Listing and deciding. */
import { proposalOperations } from "@hearth/protocol/operations";
import type { Place } from "@hearth/protocol";
import { brainOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const proposalRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, proposalOperations, {
    proposals: async ({ principal, params, query }) => {
      const brain = await brainOf(options, principal, params.agent);
      return brain.proposals(query);
    },

    pending: async ({ principal }) => {
      const permissions = await options.access.permissions(principal);
      const administeredPlaces = new Set<Place>(permissions.flatMap(({ on, level }) => (level === "x" ? [on] : [])));
      const rows = await options.areas.agents.brains.pendingProposals();
      return rows
        .filter(({ house }) => administeredPlaces.has(house))
        .map(({ id, agent, path, halts, at }) => ({ id, agent, path, halts: halts === 1, at }));
    },

    decide: async ({ principal, params, body }) => {
      const { agent, proposal } = params;
      const by = await personOf(options, principal);
      const brain = await brainOf(options, principal, agent);
      return brain.decide(proposal, body, by);
    },
  });
};
