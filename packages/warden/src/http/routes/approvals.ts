/**
 * Approvals: agents' requests and people's decisions. Only a person who decides in the agent's
 * house sees and decides them.
 */
import { requireNoExpiry } from "../../people/lazy.ts";
import { approvalOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const approvalRoutes = (app: App, options: RouteOptions): void => {
  const { approvals } = options.areas.policy;

  bind(app, options, approvalOperations, {
    list: async ({ principal, query }) => approvals.list(principal, query),

    get: async ({ principal, params }) => approvals.get(principal, params.id),

    decide: async ({ principal, params, body }) => {
      if (body.scope !== "once") requireNoExpiry(principal);
      return approvals.decide(principal, params.id, body);
    },

    rules: async ({ principal }) => approvals.rules(principal),

    removeRule: async ({ principal, params }) => {
      await approvals.removeRule(principal, params.id);
    },
  });
};
